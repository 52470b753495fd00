#include "app/application.h"

#include <csignal>
#include <pthread.h>

int main(int argc, char** argv) {
    // A peer that has gone is a result, not a signal; and only the main thread may be told to end.
    std::signal(SIGPIPE, SIG_IGN);
    std::signal(SIGHUP, SIG_IGN);
    sigset_t ending;
    sigemptyset(&ending);
    for (const int signal : {SIGINT, SIGTERM, SIGQUIT}) sigaddset(&ending, signal);
    pthread_sigmask(SIG_BLOCK, &ending, nullptr);
    return wm::app::Application().run(argc, argv);
}
