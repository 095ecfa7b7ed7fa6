/* clblast.c - a library of CLBlast's name without CLBlast's functions. */
int clblast_stand_in(void);

int clblast_stand_in(void) {
    return 0;
}
