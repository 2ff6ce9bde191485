/** The client would apply the messages of a frame out of order, and its copy of the canvas would diverge. */
import { EventEmitter } from 'node:events';
import { expect, test } from 'vitest';
import { overSocket, request } from '../../../../src/features/canvas/client/transport.ts';

function fakeSocket(): { socket: EventEmitter & { connected: boolean }; heard: [string, unknown][] } {
  return { socket: Object.assign(new EventEmitter(), { connected: true }), heard: [] };
}

test('the entries of a frame and plain events are delivered in order', () => {
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

test('a listener that is removed within a frame gets no further entry and leaves no listener on the socket', () => {
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

test('a request resolves with the answer, or undefined when the connection is lost or missing', async () => {
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
