/* level_compare.h - comparison of doubles. Part of level.h. */

static bool near(const double *left, const double *right, int64_t count, double tolerance) {
    int64_t differ = 0;
    for (int64_t i = 0; i < count; i++) {
        const double a = left[i], b = right[i];
        differ |= !((a == b) | (fabs(a - b) < tolerance) | ((a != a) & (b != b)));
    }
    return differ == 0;
}

static bool close(const double *left, const double *right, int64_t count, double relative, double absolute,
                  bool equal_nan) {
    int64_t differ = 0;
    for (int64_t i = 0; i < count; i++) {
        const double a = left[i], b = right[i];
        const bool within = (fabs(a - b) <= absolute + relative * fabs(b)) & (fabs(b) <= DBL_MAX);
        differ |= !((a == b) | within | (equal_nan & (a != a) & (b != b)));
    }
    return differ == 0;
}
