/** The client's wire: frames are told in their order, event after event, whoever listens to which. */
import { EventEmitter } from 'node:events';
import { expect, test } from 'vitest';
import { overSocket, request } from '../../../src/canvas/client/transport.ts';

function fakeSocket(): { socket: EventEmitter & { connected: boolean }; heard: [string, unknown][] } {
  return { socket: Object.assign(new EventEmitter(), { connected: true }), heard: [] };
}

test('a frame is told in its order, and beside it what comes without one', () => {
  const { socket, heard } = fakeSocket();
  const transport = overSocket(socket);
  for (const event of ['ack', 'node:moved']) transport.on(event, (payload) => heard.push([event, payload]));
  socket.emit('ops', [
    ['node:moved', 1],
    ['ack', 2],
    ['unheard', 0],
    ['node:moved', 3],
  ]);
  socket.emit('ack', 4);
  socket.emit('ops', 'not a frame');
  expect(heard).toEqual([
    ['node:moved', 1],
    ['ack', 2],
    ['node:moved', 3],
    ['ack', 4],
  ]);
});

test('who stops to listen in the middle of a frame hears no more of it, and leaves nothing behind', () => {
  const { socket, heard } = fakeSocket();
  const transport = overSocket(socket);
  const stops = ['ack', 'saved'].map((event) =>
    transport.on(event, (payload) => {
      heard.push([event, payload]);
      for (const stop of stops) stop();
    }),
  );
  socket.emit('ops', [
    ['ack', 1],
    ['saved', 2],
    ['ack', 3],
  ]);
  expect(heard).toEqual([['ack', 1]]);
  expect(socket.eventNames()).toEqual([]);
  transport.on('saved', (payload) => heard.push(['saved', payload]));
  socket.emit('ops', [['saved', 4]]);
  expect(heard.at(-1)).toEqual(['saved', 4]);
});

test('who asks is answered, also where the connection goes before the answer comes, or is not there', async () => {
  const { socket } = fakeSocket();
  const transport = overSocket(socket);
  const asked: ((answer: unknown) => void)[] = [];
  socket.on('question', (_payload, answer: (answer: unknown) => void) => void asked.push(answer));
  const answers = [request(transport, 'question', {}), request(transport, 'question', {})];
  asked[0]?.('yes');
  socket.emit('disconnect');
  expect(await Promise.all(answers)).toEqual(['yes', undefined]);
  expect(socket.listenerCount('disconnect')).toBe(0);
  socket.connected = false;
  expect(await request(transport, 'question', {})).toBeUndefined();
  expect(asked).toHaveLength(2);
});
