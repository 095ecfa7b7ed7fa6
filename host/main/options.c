/* options.c - reads the command line up to the script's name. The rest belongs to the script.
 *
 * One table has every option and the form of its value. -e, -l, -j and -O are only collected here; they are
 * executed in their order when there is a Lua state. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "main.h"

enum takes { NOTHING, VALUE, ATTACHED };

/* What an option is called comes first, then what it takes, then what --help, the man page and completion say. An
 * option without a text of its own is another name of the next one. */
static const struct rule {
    const char *name;
    char letter;
    enum takes takes;
    const char *wants; /* its value, for the message if that is missing */
    const char *value; /* the same, in one word */
    const char *help;
} rules[] = {
    {"--device", 'd', VALUE, "a device, such as --device cpu or --device 0:0", "SPEC",
     "the device to use: a number, platform:device, part of a name, cpu, gpu, accelerator"},
    {"--color", 'c', VALUE, "auto, always or never, such as --color never", "WHEN",
     "colours: auto (in a terminal without NO_COLOR), always or never"},
    {"--quiet", 'q', NOTHING, "", "", "no warnings, no line about the chosen device"},
    {"--strict", 's', NOTHING, "", "",
     "a failed OpenCL call raises an error; what was never freed is listed at the end"},
    {"--time-limit", 't', VALUE, "seconds, such as --time-limit 10", "S",
     "end the run after so many seconds, and say which kernel was running"},
    {"--isolate", 'I', NOTHING, "", "",
     "run in a child process: after a crash the terminal is usable, and nothing that it started goes on"},
    {"-e", 'e', VALUE, "a statement, such as -e 'print(1)'", "STATEMENT", "run a statement"},
    {"-l", 'l', VALUE, "the name of a module, such as -l clue", "NAME",
     "require a module (-l short=NAME: and call it short)"},
    {"-i", 'i', NOTHING, "", "", "a prompt after the script, or at once without a script"},
    {"-j", 'j', VALUE, "a LuaJIT command, such as -j off", "COMMAND",
     "control LuaJIT: -j off, -j on, -j v, -j dump, ..."},
    {"-O", 'O', ATTACHED, "", "[LEVEL]", "LuaJIT's optimisations: -O3, -O-fold, -Ohotloop=10, ..."},
    {"-E", 'E', NOTHING, "", "", "ignore LUA_INIT, LUA_PATH and LUA_CPATH"},
    {"-v", 'v', NOTHING, "", "", "print the version and go on"},
    {"-h", 'h', NOTHING, "", "", ""},
    {"--help", 'h', NOTHING, "", "", "print this help and end"},
    {"--version", 'V', NOTHING, "", "", "print the version, and what this clue was built from, and end"},
};

/* A short option's value follows the letter, a long one's follows '='. NULL if there is none. */
static const char *attached_value(const struct rule *rule, const char *argument) {
    const char *rest = argument + strlen(rule->name);
    if (*rest == '\0') return NULL;
    return rule->name[1] == '-' ? rest + 1 : rest;
}

static bool rule_fits(const struct rule *rule, const char *argument) {
    size_t length = strlen(rule->name);
    if (strncmp(rule->name, argument, length) != 0) return false;
    if (argument[length] == '\0') return true;
    return rule->name[1] == '-' ? argument[length] == '=' : rule->takes != NOTHING;
}

static const struct rule *find_rule(const char *argument) {
    for (size_t i = 0; i < sizeof rules / sizeof *rules; i++)
        if (rule_fits(&rules[i], argument)) return &rules[i];
    return NULL;
}

static void apply(struct clue_options *options, char letter, const char *value) {
    switch (letter) {
    case 'i':
        options->interactive = true;
        break;
    case 'v':
        options->show_version = true;
        break;
    case 'V':
        options->version_only = true;
        break;
    case 'h':
        options->help = true;
        break;
    case 'E':
        options->ignore_environment = true;
        break;
    case 'd':
        options->device = value;
        break;
    case 'q':
        options->quiet = true;
        break;
    case 's':
        options->strict = true;
        break;
    default:
        if (letter == 'e') options->executes = true;
        options->actions[options->action_count++] = (struct clue_action){letter, value};
    }
}

#define TEXT_(x) #x
#define TEXT(x) TEXT_(x)

static bool read_time_limit(struct clue_options *options, const char *text) {
    static const char range[] = TEXT(CLUE_SHORTEST_TIME_LIMIT) " to " TEXT(CLUE_LONGEST_TIME_LIMIT);
    char *end;
    const double seconds = strtod(text, &end);
    if (end != text && *end == '\0' && seconds >= CLUE_SHORTEST_TIME_LIMIT && seconds <= CLUE_LONGEST_TIME_LIMIT) {
        options->time_limit = seconds;
        return true;
    }
    clue_report_say("option --time-limit needs seconds from %s, such as --time-limit 10: '%s'", range, text);
    return false;
}

/* Child processes are to do the same, so the choice is a variable, which clue_terminal_colour() reads. */
static bool read_colour(const char *text) {
    if (strcmp(text, "auto") != 0 && strcmp(text, "always") != 0 && strcmp(text, "never") != 0) {
        clue_report_say("option --color is auto, always or never: '%s'", text);
        return false;
    }
    return process_set_variable("CLUE_COLOR", text);
}

/* The child of --isolate is to get the same words without it. */
static void drop_word(struct clue_options *options, int at) {
    options->count--;
    for (int i = at; i <= options->count; i++)
        options->arguments[i] = options->arguments[i + 1];
}

/* Takes the option at *at, and moves *at past it and its value. */
static bool take_option(struct clue_options *options, int *at) {
    const char *argument = options->arguments[*at];
    const struct rule *rule = find_rule(argument);
    const char *value;
    if (!rule) {
        options->unknown = argument;
        return true;
    }
    value = attached_value(rule, argument);
    if (rule->takes == NOTHING && value) {
        clue_report_say("option %s takes no value: '%s'", rule->name, argument);
        return false;
    }
    if (rule->takes == VALUE && !value) value = options->arguments[++*at];
    if (rule->takes == VALUE && (!value || (rule->letter != 'e' && *value == '\0'))) {
        clue_report_say("option %s needs %s", rule->name, rule->wants);
        return false;
    }
    if (rule->letter == 'I') {
        options->isolate = true;
        drop_word(options, *at);
        return true;
    }
    ++*at;
    if (rule->letter == 't') return read_time_limit(options, value);
    if (rule->letter == 'c') return read_colour(value);
    apply(options, rule->letter, value ? value : "");
    return true;
}

bool clue_options_parse(struct clue_options *options_out, int count, char **arguments) {
    int at = 1;
    *options_out = (struct clue_options){.arguments = arguments, .count = count};
    options_out->actions = calloc((size_t)count + 1, sizeof *options_out->actions);
    if (!options_out->actions) {
        clue_report_say("not enough memory for the command line");
        return false;
    }
    while (at < options_out->count && arguments[at][0] == '-' && !options_out->unknown) {
        if (strcmp(arguments[at], "-") == 0) {
            options_out->standard_input = true;
            break;
        }
        if (strcmp(arguments[at], "--") == 0) {
            at++;
            break;
        }
        if (!take_option(options_out, &at)) return false;
    }
    options_out->word = options_out->unknown ? options_out->count : at;
    return true;
}

const char *clue_options_name(int index) {
    return index < (int)(sizeof rules / sizeof *rules) ? rules[index].name : NULL;
}

void clue_options_free(struct clue_options *options) {
    free(options->actions);
    options->actions = NULL;
}

/* ---- what --help, the man page and completion say ------------------------------------------------------------ */

static const char about[] = "Runs a Lua script that uses OpenCL. Options come before the script; everything after "
                            "it belongs to the script. To begin: clue walk hello, or clue new script mine.";
static const char closing[] =
    "With neither script nor -e: a prompt in a terminal, otherwise standard input is run.\n"
    "Exit status: what the script or subcommand gives; 1 after an error; 2 for a wrong option of clue.";

/* Words that end the options. */
static const struct rule last[] = {
    {"-", '-', NOTHING, "", "", "run standard input"},
    {"--", '-', NOTHING, "", "", "no more options"},
};

/* Writes "-h, --help" or "--device SPEC"; other is another name, or NULL. */
static void write_label(char *label_out, size_t size, const struct rule *rule, const struct rule *other) {
    snprintf(label_out, size, "%s%s%s%s%s", other ? other->name : "", other ? ", " : "", rule->name,
             rule->takes == VALUE ? " " : "", rule->value);
}

/* Calls show for each option with its label, such as "-h, --help", and its text. */
static void each_option(void (*show)(void *context, const struct rule *rule, const char *label), void *context) {
    const struct rule *other = NULL;
    char label[64];
    for (size_t i = 0; i < sizeof rules / sizeof *rules; i++) {
        if (*rules[i].help) {
            write_label(label, sizeof label, &rules[i], other);
            show(context, &rules[i], label);
        }
        other = *rules[i].help ? NULL : &rules[i];
    }
    for (size_t i = 0; i < sizeof last / sizeof *last; i++)
        show(context, &last[i], last[i].name);
}

static void set_text(lua_State *L, const char *field, const char *text) {
    lua_pushstring(L, text);
    lua_setfield(L, -2, field);
}

struct list {
    lua_State *L;
    int count;
};

static void push_option(void *context, const struct rule *rule, const char *label) {
    struct list *list = context;
    lua_newtable(list->L);
    set_text(list->L, "label", label);
    set_text(list->L, "value", rule->value);
    set_text(list->L, "help", rule->help);
    lua_rawseti(list->L, -2, ++list->count);
}

int clue_options_described(lua_State *L) {
    struct list list = {L, 0};
    lua_newtable(L);
    set_text(L, "about", about);
    set_text(L, "closing", closing);
    each_option(push_option, &list);
    return 1;
}
