/* flight.c - host memory that drivers may still use, for transfers that nobody has waited for.
 *
 * Code that frees or moves memory asks here first. Transfers that have ended are forgotten when the next one
 * starts. */
#include "queue/internal.h"

#include <stdlib.h>

typedef struct flight {
    execution *of; /* held */
    const char *data;
    int64_t size;
    struct flight *next;
} flight;

static flight *flights;

static void drop(flight **at) {
    flight *self = *at;
    *at = self->next;
    execution_release(self->of);
    free(self);
}

/* A failure is reported to those who wait for the event. */
void flights_forget_landed(void) {
    for (flight **at = &flights; *at;)
        if (execution_ended((*at)->of))
            drop(at);
        else
            at = &(*at)->next;
}

int32_t flight_add(execution *of, const void *data, int64_t size, const char *call) {
    flight *self = calloc(1, sizeof *self);
    if (!self) return error_out_of_memory(call);
    flights_forget_landed();
    *self = (flight){.of = execution_retain(of), .data = data, .size = size, .next = flights};
    flights = self;
    return 0;
}

void flight_drop(const execution *of) {
    for (flight **at = &flights; *at;)
        if ((*at)->of == of)
            drop(at);
        else
            at = &(*at)->next;
}

static bool overlap(const flight *self, const char *data, int64_t size) {
    return self->data < data + size && data < self->data + self->size;
}

bool in_flight(const void *data, int64_t size, bool waits) {
    bool found = false;
    for (const flight *at = flights; at; at = at->next) {
        if (!overlap(at, data, size)) continue;
        if (waits) execution_await(at->of);
        found = !execution_ended(at->of) || found;
    }
    return found;
}

/* ---- the memory of recorded transfers ---- */

static claim *claims;

void claim_add(claim *self) {
    self->next = claims;
    claims = self;
}

void claim_drop(claim *self) {
    claim **at = &claims;
    while (*at && *at != self)
        at = &(*at)->next;
    if (*at) *at = self->next;
}

static void lose_claims(const char *data, int64_t size) {
    for (claim *at = claims; at; at = at->next) {
        const char *own = at->data;
        if (own && own < data + size && data < own + at->size) at->data = NULL;
    }
}

int32_t clue_array_settle(const void *data, int64_t size) {
    for (flight **at = &flights; *at;) {
        int32_t code = 0;
        if (!overlap(*at, data, size)) {
            at = &(*at)->next;
            continue;
        }
        if ((*at)->of->finished == 0) code = execution_wait((*at)->of);
        if (code && (*at)->of->finished == 0) return code; /* it waits for a user event */
        drop(at);
    }
    lose_claims(data, size);
    return 0;
}
