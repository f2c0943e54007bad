-- wrk: requests for as many prefixes as the first argument says, in turn, each thread from a
-- different place.
local threads = 0
function setup(thread)
    thread:set("start", threads)
    threads = threads + 1
end
function init(args)
    prefixes = tonumber(args[1])
    number = math.floor(start * prefixes / 2)
end
function request()
    number = (number + 1) % prefixes
    return wrk.format("GET", "/n" .. number .. "/page")
end
