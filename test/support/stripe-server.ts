/** Stands in for Stripe at the edge of the network: takes Checkout Sessions and can be told to refuse or to fail. */
import { createServer, type IncomingHttpHeaders } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';

export interface StripeCall {
  readonly path: string;
  readonly headers: IncomingHttpHeaders;
  readonly form: Readonly<Record<string, string>>;
}

export interface StripeServer {
  /** For the constructor of the library. */
  /** As `STRIPE_API_BASE`. */
  readonly apiBase: string;
  readonly calls: StripeCall[];
  /** Answers the next calls with these, in order; then as usual. */
  readonly next: { readonly status: number; readonly body: object }[];
  close(): Promise<void>;
}

export async function startStripeServer(): Promise<StripeServer> {
  const calls: StripeCall[] = [];
  const next: { status: number; body: object }[] = [];
  const server = createServer((request, response) => {
    void text(request).then((body) => {
      const { url = '', headers } = request;
      calls.push({ path: url, headers, form: Object.fromEntries(new URLSearchParams(body)) });
      const session = { object: 'checkout.session', id: `cs_test_${calls.length}` };
      const usual = { status: 200, body: { ...session, url: `https://pay.example/${session.id}` } };
      const answer = next.shift() ?? usual;
      response.writeHead(answer.status, { 'content-type': 'application/json' });
      response.end(JSON.stringify(answer.body));
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  return {
    apiBase: `http://127.0.0.1:${port}`,
    calls,
    next,
    close: () => new Promise((resolve) => server.close(() => resolve())),
  };
}
