#include "json.h"

#include <cstdio>

namespace simulator {

void Writer::open(const char *bracket) {
    comma();
    text += bracket;
    m_first = true;
}

void Writer::close(const char *bracket) {
    text += bracket;
    m_first = false;
}

void Writer::name(const char *name) {
    comma();
    text += '"';
    text += name;
    text += "\":";
    m_first = true;
}

void Writer::number(uint64_t value) {
    comma();
    text += std::to_string(value);
}

void Writer::whole(int64_t value) {
    comma();
    text += std::to_string(value);
}

void Writer::string(const std::string &value) {
    comma();
    text += '"';
    for (const char c : value)
        character(c);
    text += '"';
}

void Writer::field(const char *key, uint64_t value) {
    name(key);
    number(value);
}

void Writer::field(const char *key, const std::string &value) {
    name(key);
    string(value);
}

void Writer::comma() {
    if (!m_first) text += ',';
    m_first = false;
}

void Writer::character(char c) {
    char code[8];
    if (c == '"' || c == '\\') {
        text += '\\';
        text += c;
    } else if (static_cast<unsigned char>(c) < ' ') {
        snprintf(code, sizeof code, "\\u%04x", static_cast<unsigned>(static_cast<unsigned char>(c)));
        text += code;
    } else {
        text += c;
    }
}

} // namespace simulator
