// Writes JSON: puts commas between members.
#pragma once
#include <cstdint>
#include <string>

namespace simulator {

class Writer {
  public:
    std::string text;

    void open(const char *bracket);
    void close(const char *bracket);
    void name(const char *name);
    void number(uint64_t value);
    void whole(int64_t value);
    void string(const std::string &value);
    void field(const char *key, uint64_t value);
    void field(const char *key, const std::string &value);

  private:
    bool m_first = true;

    void comma();
    void character(char c);
};

} // namespace simulator
