/* A template for docs/reference/build.md: TILE and UNROLL come from --set. */
kernel void tiles(global float *x)
{
    local float tile[$(TILE)];
    tile[get_local_id(0)] = x[get_global_id(0)];
    barrier(CLK_LOCAL_MEM_FENCE);
    float sum = 0;
# for k = 0, UNROLL - 1 do
    sum += tile[(get_local_id(0) + $(k)) % $(TILE)];
# end
    x[get_global_id(0)] = sum;
}
