/* flight.c - host memory that drivers may still use, for transfers that nobody has waited for, and for those that
 * are recorded in graphs.
 *
 * Code that frees, moves or unmaps memory asks here first. Transfers that have ended are forgotten when the next
 * one starts. */
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

/* The command of a queue in order runs after those before it. */
static bool runs_before(const execution *self, const queue *on) {
    return on && self->in_order && self->queue == on->queue;
}

int32_t flights_settle(const void *data, int64_t size, const queue *before) {
    for (flight **at = &flights; *at;) {
        execution *of = (*at)->of;
        int32_t code = 0;
        if (!overlap(*at, data, size) || runs_before(of, before)) {
            at = &(*at)->next;
            continue;
        }
        if (of->finished == 0) code = execution_wait(of);
        if (code && of->finished == 0) return code; /* it waits for a user event */
        drop(at);
    }
    return 0;
}

/* ---- the memory of recorded transfers ---- */

static claim *claims;
static lease *leases;
static int64_t newest;

static bool gives(const lease *self, const claim *to) {
    const char *data = to->data;
    return data && self->number < to->number && self->data <= data && data + to->size <= self->data + self->size;
}

void claim_add(claim *self) {
    self->number = ++newest;
    self->leases = 0;
    for (const lease *at = leases; at; at = at->next)
        if (gives(at, self)) self->leases++;
    self->next = claims;
    claims = self;
}

void claim_drop(claim *self) {
    claim **at = &claims;
    while (*at && *at != self)
        at = &(*at)->next;
    if (*at) *at = self->next;
}

void lease_begin(lease *self, const void *data, int64_t size) {
    *self = (lease){.data = data, .size = size, .number = ++newest, .next = leases};
    leases = self;
}

void lease_end(lease *self) {
    lease **at = &leases;
    while (*at != self)
        at = &(*at)->next;
    *at = self->next;
    for (claim *one = claims; one; one = one->next)
        if (gives(self, one) && --one->leases == 0) one->data = NULL;
}

int32_t clue_array_settle(const void *data, int64_t size) {
    const char *from = data;
    int32_t code = flights_settle(data, size, NULL);
    if (code) return code;
    for (claim *at = claims; at; at = at->next) {
        const char *own = at->data;
        if (at->leases == 0 && own && own < from + size && from < own + at->size) at->data = NULL;
    }
    return 0;
}
