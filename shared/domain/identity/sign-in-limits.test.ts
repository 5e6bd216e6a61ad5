import { describe, expect, it, vi } from "vitest";
import { openService } from "../../../test/support/service.ts";
import { limitVisitor, networkOf } from "./sign-in-limits.ts";

describe("the network of an address", () => {
  it.each([
    ["203.0.113.7", "203.0.113.7"],
    ["::ffff:203.0.113.7", "203.0.113.7"],
    ["::FFFF:203.0.113.7", "203.0.113.7"],
    ["2001:db8:1:2:3:4:5:6", "2001:db8:1:2::/64"],
    ["2001:DB8:1:2::9", "2001:db8:1:2::/64"],
    ["2001:0db8:0001:0002:ffff::", "2001:db8:1:2::/64"],
    ["2001:db8::1", "2001:db8:0:0::/64"],
    ["2001:db8:0:0:1::", "2001:db8:0:0::/64"],
    ["::1", "0:0:0:0::/64"],
    ["fe80::1%eth0", "fe80:0:0:0::/64"],
    ["no address", "no address"],
  ])("%s is %s", (address, network) => expect(networkOf(address)).toBe(network));
});

it("each request of a visitor costs one write", async () => {
  const service = await openService();
  const write = vi.spyOn(service.runtime.ports.records, "write");
  const runtime = { ...service.runtime, request: { id: "req_1", address: "203.0.113.7" } };
  for (let visit = 1; visit <= 5; visit++) {
    await limitVisitor(runtime);
    const own = write.mock.calls.filter((writes) => JSON.stringify(writes).includes("network#203.0.113.7"));
    expect(own).toHaveLength(visit);
  }
  await service.close();
});
