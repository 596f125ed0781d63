-- wrk script: POST orders over a thousand skus, as the comparison sends them.
local thread = 0
function setup(t)
  t:set("id", thread)
  thread = thread + 1
end

local count = 0
function request()
  count = count + 1
  local body = string.format('{"customer_id":"c-%06d","sku":"sku-%05d","quantity":3,"note":"%s"}',
    count % 100000, (count * 7 + id) % 1000, string.rep("n", 100))
  return wrk.format("POST", nil, {["Content-Type"] = "application/json"}, body)
end
