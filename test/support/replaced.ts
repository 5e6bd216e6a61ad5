/** Returns a port with some members replaced. The others stay bound to the port itself because of its private fields. */
export function replaced<Port extends object>(port: Port, members: Partial<Port>): Port {
  return new Proxy(port, {
    get(target, name) {
      const member: unknown = Reflect.get(name in members ? members : target, name);
      return typeof member === "function" ? member.bind(target) : member;
    },
  });
}
