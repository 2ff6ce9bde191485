/**
 * Process: bare Socket.io. Whoever joins is in a room; a move is counted, acknowledged and sent on to the others in the
 * room: nothing else, no identity, no document, nothing stored.
 */
import { createServer } from 'node:http';
import { Server } from 'socket.io';

const http = createServer((_request, response) => void response.end('ready'));
const io = new Server(http, { serveClient: false });
const versions = new Map<string, number>();

interface Move {
  readonly workflowId: string;
  readonly opId: string;
  readonly nodeId: string;
  readonly position: object;
}

io.on('connection', (socket) => {
  socket.on('workflow:join', async ({ workflowId }: Move, reply: (answer: object) => void) => {
    await socket.join(workflowId);
    reply({ ok: true });
  });
  socket.on('node:move', ({ workflowId, opId, nodeId, position }: Move) => {
    const version = (versions.get(workflowId) ?? 0) + 1;
    versions.set(workflowId, version);
    socket.emit('ack', { workflowId, opId, version });
    socket.to(workflowId).emit('node:moved', { workflowId, version, opId, nodeId, position });
  });
});
http.listen(Number(process.env['PORT']), '127.0.0.1');
process.once('SIGTERM', () => process.exit(0));
