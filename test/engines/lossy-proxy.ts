import { once } from "node:events";
import { createServer, type IncomingMessage, request, type Server } from "node:http";
import { buffer } from "node:stream/consumers";

export interface LossyProxy {
  url: string;
  /** The next response is lost: the engine executes the request, but the connection breaks before the response. */
  loseNextAnswer(): void;
  /** The next response of this DynamoDB operation is withheld: the engine executed it, and the client keeps waiting. */
  withholdNextAnswer(operation: string): void;
  close(): Promise<void>;
}

/** A proxy between a client and an engine. */
export async function openLossyProxy(target: string): Promise<LossyProxy> {
  let isLosing = false;
  let withheld: string | undefined;
  const server = createServer(async (incoming, outgoing) => {
    const answer = await forward(target, incoming);
    const body = await buffer(answer);
    if (isLosing) {
      isLosing = false;
      incoming.socket.destroy();
      return;
    }
    if (withheld !== undefined && String(incoming.headers["x-amz-target"]).endsWith(`.${withheld}`)) {
      withheld = undefined;
      return;
    }
    outgoing.writeHead(answer.statusCode ?? 502, answer.headers).end(body);
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  return {
    url: `http://127.0.0.1:${portOf(server)}`,
    loseNextAnswer: () => {
      isLosing = true;
    },
    withholdNextAnswer: (operation) => {
      withheld = operation;
    },
    close: async () => {
      server.closeAllConnections();
      server.close();
      await once(server, "close");
    },
  };
}

async function forward(target: string, incoming: IncomingMessage): Promise<IncomingMessage> {
  const { method, headers, url } = incoming;
  const outgoing = request(new URL(url ?? "/", target), { method, headers });
  outgoing.end(await buffer(incoming));
  const [answer] = await once(outgoing, "response");
  return answer;
}

function portOf(server: Server): number {
  const address = server.address();
  if (address === null || typeof address === "string") throw new Error("no port was given");
  return address.port;
}
