#include "child.h"

#include <algorithm>
#include <cerrno>
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <new>
#include <poll.h>
#include <stdexcept>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

namespace wm::check {

namespace {

constexpr std::size_t max_output = 400; // of what the plugin printed, in a message

class SharedLedger {
  public:
    SharedLedger() {
        void* at = mmap(nullptr, sizeof(Ledger), PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
        if (at == MAP_FAILED) throw std::runtime_error("no memory to share with a case");
        at_ = new (at) Ledger{};
    }
    ~SharedLedger() { munmap(at_, sizeof(Ledger)); }
    SharedLedger(const SharedLedger&) = delete;
    SharedLedger& operator=(const SharedLedger&) = delete;

    Ledger& operator*() const { return *at_; }
    Ledger* operator->() const { return at_; }

  private:
    Ledger* at_;
};

// Where the child's standard output and errors go; a file, so that no reader is needed while it runs.
class Output {
  public:
    Output() : file_(memfd_create("output", MFD_CLOEXEC)) {}
    ~Output() { close(file_); }
    Output(const Output&) = delete;
    Output& operator=(const Output&) = delete;

    void become_standard() const {
        dup2(file_, STDOUT_FILENO);
        dup2(file_, STDERR_FILENO);
    }
    // The first lines say most: an assertion, or a sanitizer's headline.
    std::string beginning() const {
        char text[max_output];
        const ssize_t size = pread(file_, text, sizeof text, 0);
        return size > 0 ? std::string(text, static_cast<std::size_t>(size)) : std::string();
    }

  private:
    int file_;
};

[[noreturn]] void be_child(Ledger& ledger, const Output& output, const std::function<void(Trial&)>& body) {
    setpgid(0, 0); // so that what the plugin starts ends with it
    const rlimit no_core{0, 0};
    setrlimit(RLIMIT_CORE, &no_core);
    output.become_standard();
    Trial trial(ledger);
    try {
        body(trial);
    } catch (const Enough&) { // of findings
    }
    trial.step("the end of the process, with the plugin's static destructors");
    ledger.finished = true;
    std::exit(0);
}

// The child's wait status, or -1 when it had to be killed.
int wait_for(pid_t child, std::chrono::seconds limit) {
    // glibc 2.36 declares pidfd_open for C only.
    const int handle = static_cast<int>(syscall(SYS_pidfd_open, child, 0));
    pollfd ended{handle, POLLIN, 0};
    const auto deadline = std::chrono::steady_clock::now() + limit;
    int ready = 0;
    do {
        const auto left =
            std::chrono::duration_cast<std::chrono::milliseconds>(deadline - std::chrono::steady_clock::now());
        ready = poll(&ended, 1, static_cast<int>(std::max<std::int64_t>(0, left.count())));
    } while (ready < 0 && errno == EINTR);
    close(handle);
    kill(-child, SIGKILL);                // the whole group, also what outlived the child
    if (ready == 0) kill(child, SIGKILL); // it may not have made its group yet
    int status = 0;
    while (waitpid(child, &status, 0) < 0 && errno == EINTR) {}
    return ready == 0 ? -1 : status;
}

struct Ending {
    std::string found, remedy;
};

// Empty: it ended as it should.
Ending ending(int status, bool finished, const std::string& name, std::chrono::seconds limit) {
    if (status == -1)
        return {"no return within " + std::to_string(limit.count()) + " s",
                "a plugin must not wait, loop or take a lock that nobody gives back"};
    if (WIFSIGNALED(status))
        return {"the process killed by signal " + std::to_string(WTERMSIG(status)) + " (" +
                    strsignal(WTERMSIG(status)) + ")",
                "debug it: gdb -ex 'set follow-fork-mode child' --args watermaster-plugin-check --case " + name +
                    " FILE"};
    if (WEXITSTATUS(status) != 0 || !finished)
        return {"the process ended with status " + std::to_string(WEXITSTATUS(status)),
                "a plugin must never end its process: return a status"};
    return {};
}

} // namespace

std::vector<std::string> run_in_child(const std::string& name, std::chrono::seconds limit,
                                      const std::function<void(Trial&)>& body) {
    const SharedLedger ledger;
    const Output output;
    std::fflush(nullptr); // or the child prints it again
    const pid_t child = fork();
    if (child < 0) throw std::runtime_error(std::string("no process for a case: ") + std::strerror(errno));
    if (child == 0) be_child(*ledger, output, body);
    const int status = wait_for(child, limit);

    std::vector<std::string> findings;
    for (std::uint32_t i = 0; i < ledger->count && i < Ledger::max_findings; ++i)
        findings.emplace_back(ledger->findings[i]);
    const Ending bad = ending(status, ledger->finished, name, limit);
    if (!bad.found.empty()) {
        std::string found = bad.found;
        if (const std::string said = output.beginning(); !said.empty())
            found += ", saying `" + plugin::printable(said, max_output) + "`";
        findings.push_back(plugin::refusal(ledger->step, "the process to go on", found, bad.remedy));
    }
    return findings;
}

} // namespace wm::check
