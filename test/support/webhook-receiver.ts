/** An endpoint of somebody else that records what it is sent, and answers as it is told. */
import { createServer, type IncomingHttpHeaders, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import { Webhook } from 'standardwebhooks';

export interface ReceivedMessage {
  readonly headers: IncomingHttpHeaders;
  readonly body: string;
}

export interface WebhookReceiver {
  readonly url: string;
  readonly hostPort: string;
  readonly received: ReceivedMessage[];
  /** Answers the next requests; 204 by default. */
  answer: (response: ServerResponse) => void;
  close(): Promise<void>;
}

export async function startReceiver(): Promise<WebhookReceiver> {
  const received: ReceivedMessage[] = [];
  const server = createServer((request, response) => {
    void text(request).then((body) => {
      received.push({ headers: request.headers, body });
      receiver.answer(response);
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const hostPort = `127.0.0.1:${(server.address() as AddressInfo).port}`;
  const receiver: WebhookReceiver = {
    url: `http://${hostPort}/told`,
    hostPort,
    received,
    answer: (response) => void response.writeHead(204).end(),
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
  return receiver;
}

/** Verifies a message as its receiver would, with the library of Standard Webhooks. @throws WebhookVerificationError */
export const verifyMessage = (secret: string, { body, headers }: ReceivedMessage): unknown =>
  new Webhook(secret).verify(body, headers as Record<string, string>);
