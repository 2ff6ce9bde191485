/** Helmet's headers. They are the same for every answer: asked for once, set on each. */
import { IncomingMessage, ServerResponse } from 'node:http';
import { Socket } from 'node:net';
import helmet from 'helmet';
import type { Middleware } from 'koa';

/** Notes what is set on it. */
class Noting extends ServerResponse {
  readonly headers: [string, number | string | readonly string[]][] = [];

  override setHeader(name: string, value: number | string | readonly string[]): this {
    this.headers.push([name, value]);
    return this;
  }
}

/** What helmet's defaults set; none of them looks at the request. */
function readHeaders(): Noting['headers'] {
  const response = new Noting(new IncomingMessage(new Socket()));
  helmet()(response.req, response, (error?: unknown) => {
    if (error !== undefined) throw error;
  });
  return response.headers;
}

/** Middleware: before everything that answers. */
export function securityHeaders(): Middleware {
  const headers = readHeaders();
  return (ctx, next) => {
    for (const [name, value] of headers) ctx.res.setHeader(name, value);
    return next();
  };
}
