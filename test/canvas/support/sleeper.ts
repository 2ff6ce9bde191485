/** A program to be put to sleep: one collaborator, with a cursor and a lock, that says what becomes of its connection. */
import { Peer } from './peer.ts';

const [, , url = '', token = '', organizationId = '', workflowId = ''] = process.argv;

const peer = await Peer.connect({ url, auth: { token, organizationId } });
peer.socket.on('disconnect', (reason) => void process.stdout.write(`disconnected ${reason}\n`));
const { you } = await peer.join(workflowId);
await peer.call('node:lock', { workflowId, nodeId: 'b' });
peer.emit('cursor:move', { workflowId, x: 1, y: 2 });
process.stdout.write(`joined ${you.sessionId}\n`);
