/* copy_vectors.cl - copies count floats by vectors of WIDTH floats. Built with -D WIDTH=2, 4, 8 or 16.
 * Each work-item copies one vector. The first one that has no whole vector left copies the rest, fewer than WIDTH
 * floats, one by one; the work-items after it copy nothing. So the range may be rounded up to whole groups. */
#ifndef WIDTH
#error "WIDTH is 2, 4, 8 or 16: see the head of copy_vectors.cl"
#endif
#define JOINED(type, width) type##width
#define VECTOR_OF(type, width) JOINED(type, width) /* WIDTH is expanded before it is joined to the type */
#define VECTOR VECTOR_OF(float, WIDTH)

__kernel void copy(__global const VECTOR *from, __global VECTOR *to, ulong count)
{
    const size_t i = get_global_id(0);
    if ((i + 1) * WIDTH <= count)
        to[i] = from[i];
    else
        for (size_t rest = i * WIDTH; rest < count; rest++)
            ((__global float *)to)[rest] = ((__global const float *)from)[rest];
}
