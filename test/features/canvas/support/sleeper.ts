/** A separate process to be paused with SIGSTOP: one client with a cursor and a lock that prints its connection's events. */
import { Peer } from './peer.ts';

const [, , url = '', token = '', organizationId = '', workflowId = ''] = process.argv;

const peer = await Peer.connect({ url, auth: { token, organizationId } });
peer.socket.on('disconnect', (reason) => void process.stdout.write(`disconnected ${reason}\n`));
const { you } = await peer.join(workflowId);
await peer.call('node:lock', { workflowId, nodeId: 'b' });
peer.emit('cursor:move', { workflowId, x: 1, y: 2 });
process.stdout.write(`joined ${you.sessionId}\n`);
