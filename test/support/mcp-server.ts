/** An MCP server on loopback, as small as the protocol allows: Streamable HTTP, answers in JSON, one session. */
import { createServer, type IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';

export interface McpTool {
  readonly name: string;
  readonly description?: string;
  readonly inputSchema?: object;
  readonly outputSchema?: object;
  readonly annotations?: object;
  /** The result of a call, in which a text `#12#` is the number 12, however long; a number is an HTTP status to answer with. */
  readonly answer: (args: unknown) => object | number;
}

export interface HeardMcp {
  readonly method: string;
  /** `tools/call`; empty when the body is no JSON-RPC. */
  readonly rpc: string;
  readonly headers: IncomingMessage['headers'];
}

export interface McpServer {
  readonly url: string;
  readonly hostPort: string;
  readonly heard: HeardMcp[];
  tools: readonly McpTool[];
  /** What a list says, page by page, in place of the tools: not always what the protocol says. */
  pages: readonly object[] | null;
  /** What becomes of `server/discover`, which a server of before 2026 does not know. */
  discover: 'unknown' | number | 'closes' | 'says nothing' | 'answers with no JSON';
  /** Answers everything with this status and these headers, when set. */
  refusal: { readonly status: number; readonly headers: Record<string, string> } | null;
  close(): Promise<void>;
}

interface Rpc {
  readonly id?: number | string;
  readonly method?: string;
  readonly params?: { name?: string; arguments?: unknown; protocolVersion?: string; cursor?: string };
}

async function readRpc(request: IncomingMessage): Promise<Rpc> {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk as Buffer);
  const text = Buffer.concat(chunks).toString('utf8');
  return text === '' ? {} : (JSON.parse(text) as Rpc);
}

export async function startMcpServer(tools: readonly McpTool[]): Promise<McpServer> {
  const result = (rpc: Rpc): object | number => {
    switch (rpc.method ?? '') {
      case 'initialize':
        return {
          protocolVersion: rpc.params?.protocolVersion,
          capabilities: { tools: {} },
          serverInfo: { name: 'test', version: '1.0.0' },
        };
      case 'tools/list':
        if (server.pages !== null) return server.pages[Number(rpc.params?.cursor ?? 0)] ?? { tools: [] };
        return {
          tools: server.tools.map(
            ({ name, description, inputSchema = { type: 'object' }, outputSchema, annotations }) => {
              return { name, description, inputSchema, outputSchema, annotations };
            },
          ),
        };
      case 'tools/call':
        return (
          server.tools.find(({ name }) => name === rpc.params?.name)?.answer(rpc.params?.arguments) ?? 404
        );
      default:
        return -32601;
    }
  };
  const http = createServer((request, response) => {
    void (async () => {
      const rpc = await readRpc(request);
      server.heard.push({ method: request.method ?? '', rpc: rpc.method ?? '', headers: request.headers });
      if (server.refusal !== null) {
        response.writeHead(server.refusal.status, server.refusal.headers).end();
        return;
      }
      if (rpc.method === 'server/discover' && server.discover !== 'unknown') {
        const { discover } = server;
        if (typeof discover === 'number') response.writeHead(discover).end();
        else if (discover === 'closes') response.destroy();
        else if (discover === 'answers with no JSON')
          response.writeHead(200, { 'content-type': 'application/json' }).end('<html>');
        return;
      }
      if (rpc.id === undefined) {
        response.writeHead(202).end();
        return;
      }
      const answer = result(rpc);
      if (typeof answer === 'number' && answer > 0) {
        response.writeHead(answer).end();
        return;
      }
      const body =
        typeof answer === 'number'
          ? { error: { code: answer, message: 'Method not found' } }
          : { result: answer };
      response
        .writeHead(200, { 'content-type': 'application/json', 'mcp-session-id': 'session-1' })
        .end(JSON.stringify({ jsonrpc: '2.0', id: rpc.id, ...body }).replaceAll(/"#(\d+)#"/g, '$1'));
    })().catch(() => response.destroy());
  });
  await new Promise<void>((resolve) => http.listen(0, '127.0.0.1', resolve));
  const { port } = http.address() as AddressInfo;
  const server: McpServer = {
    url: `http://127.0.0.1:${port}/mcp`,
    hostPort: `127.0.0.1:${port}`,
    heard: [],
    tools,
    pages: null,
    discover: 'unknown',
    refusal: null,
    close: () =>
      new Promise((resolve) => {
        http.close(() => resolve());
        http.closeAllConnections();
      }),
  };
  return server;
}
