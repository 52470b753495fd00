#include "app/application.h"

#include <csignal>

int main(int argc, char** argv) {
    std::signal(SIGPIPE, SIG_IGN); // a peer that has gone is a result, not a signal
    return wm::app::Application().launch(argc, argv);
}
