/* consumer.c - a C program that uses the installed library; it exits with 0 if header and library fit together. */
#include <clue.h>

int main(void) {
    return clue_abi() == CLUE_ABI ? 0 : 1;
}
