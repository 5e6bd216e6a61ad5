/** Sends what the service writes to its output to vitest's console, which shows only what failing tests wrote. */
function redirect(stream: NodeJS.WriteStream, print: (text: string) => void): void {
  stream.write = ((chunk: string | Uint8Array, ...rest: unknown[]) => {
    print(String(chunk).trimEnd());
    const written = rest.find((argument) => typeof argument === "function");
    written?.();
    return true;
  }) as typeof stream.write;
}

const { info, error } = console;
redirect(process.stdout, (text) => info(text));
redirect(process.stderr, (text) => error(text));
