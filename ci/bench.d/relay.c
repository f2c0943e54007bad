/* The least that a proxy can do: it hands on what it reads, over a connection to the cell for each of
   the user's, and looks at none of it. The difference from what a router reaches is the price of
   routing. */
#define _GNU_SOURCE
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/epoll.h>
#include <sys/socket.h>
#include <unistd.h>

enum { THREADS = 2, EVENTS = 256, DESCRIPTORS = 65536 };
static struct sockaddr_in listens, owner;
static int peer[DESCRIPTORS];

static void expect(int met, const char *what) {
    if (!met) {
        perror(what);
        exit(1);
    }
}

static int open_socket(void) {
    int fd = socket(AF_INET, SOCK_STREAM, 0), on = 1;
    expect(fd >= 0 && fd < DESCRIPTORS, "socket");
    setsockopt(fd, SOL_SOCKET, SO_REUSEADDR, &on, sizeof on);
    setsockopt(fd, SOL_SOCKET, SO_REUSEPORT, &on, sizeof on);
    setsockopt(fd, IPPROTO_TCP, TCP_NODELAY, &on, sizeof on);
    return fd;
}

static void watch(int queue, int fd) {
    struct epoll_event event = {.events = EPOLLIN, .data.fd = fd};
    expect(epoll_ctl(queue, EPOLL_CTL_ADD, fd, &event) == 0, "epoll_ctl");
}

static void *serve(void *unused) {
    static _Thread_local char bytes[65536];
    struct epoll_event events[EVENTS];
    int queue = epoll_create1(0), listener = open_socket(), on = 1;
    expect(bind(listener, (struct sockaddr *)&listens, sizeof listens) == 0, "bind");
    expect(listen(listener, 4096) == 0, "listen");
    watch(queue, listener);
    for (;;) {
        int ready = epoll_wait(queue, events, EVENTS, -1);
        for (int i = 0; i < ready; i++) {
            int from = events[i].data.fd;
            if (from == listener) {
                int user = accept(listener, NULL, NULL), cell = open_socket();
                expect(user >= 0 && user < DESCRIPTORS, "accept");
                setsockopt(user, IPPROTO_TCP, TCP_NODELAY, &on, sizeof on);
                expect(connect(cell, (struct sockaddr *)&owner, sizeof owner) == 0, "connect");
                peer[user] = cell;
                peer[cell] = user;
                watch(queue, user);
                watch(queue, cell);
                continue;
            }
            /* A send may block: the load generator reads on, so it ends. */
            ssize_t length = recv(from, bytes, sizeof bytes, MSG_DONTWAIT), sent = 0;
            while (sent < length) {
                ssize_t n = send(peer[from], bytes + sent, length - sent, MSG_NOSIGNAL);
                if (n <= 0) break;
                sent += n;
            }
            if (length == 0 || sent < length) {
                int to = peer[from];
                /* Both leave the queue; a late event of the other finds a closed descriptor. */
                if (to) close(to);
                close(from);
                peer[from] = peer[to] = 0;
            }
        }
    }
    return unused;
}

int main(int count, char **arguments) {
    if (count != 3) {
        fprintf(stderr, "relay LISTEN_PORT CELL_PORT\n");
        return 2;
    }
    listens = owner = (struct sockaddr_in){.sin_family = AF_INET, .sin_addr.s_addr = htonl(INADDR_LOOPBACK)};
    listens.sin_port = htons(atoi(arguments[1]));
    owner.sin_port = htons(atoi(arguments[2]));
    pthread_t thread;
    for (int i = 1; i < THREADS; i++) expect(pthread_create(&thread, NULL, serve, NULL) == 0, "pthread_create");
    serve(NULL);
}
