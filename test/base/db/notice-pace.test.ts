/** Streams would wake late, or a burst of notices would load the database. */
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { NoticePace } from '../../../src/base/db/notice-pace.ts';

let pace: NoticePace;
let sent: string[];
beforeEach(() => {
  vi.useFakeTimers();
  pace = new NoticePace();
  sent = [];
});
afterEach(() => {
  vi.useRealTimers();
});

const pass = (subject: string, notice: string, isLast = false): void =>
  pace.pass({ subject, isLast }, () => sent.push(notice));

test('two go out at once, the third 25 ms after the first', () => {
  for (const notice of ['first', 'second', 'third']) pass('run', notice);
  expect(sent).toEqual(['first', 'second']);
  vi.advanceTimersByTime(24);
  expect(sent).toEqual(['first', 'second']);
  vi.advanceTimersByTime(1);
  expect(sent).toEqual(['first', 'second', 'third']);
});

test('of those that wait one goes out, each 25 ms', () => {
  for (let number = 1; number <= 100; number += 1) {
    pass('run', String(number));
    vi.advanceTimersByTime(1);
  }
  expect(sent).toEqual(['1', '2', '25', '50', '75', '100']);
});

test('nothing is left out: what waited is sent though nothing follows', () => {
  for (const notice of ['first', 'second', 'third']) pass('run', notice);
  vi.advanceTimersByTime(1_000);
  expect(sent).toEqual(['first', 'second', 'third']);
  expect(vi.getTimerCount()).toBe(0);
});

test('after 25 ms of silence two go out at once again', () => {
  pass('run', 'first');
  vi.advanceTimersByTime(25);
  for (const notice of ['second', 'third', 'fourth']) pass('run', notice);
  expect(sent).toEqual(['first', 'second', 'third']);
});

test('the last one goes out at once, in place of one that waits', () => {
  for (const notice of ['first', 'second', 'third']) pass('run', notice);
  pass('run', 'end', true);
  expect(sent).toEqual(['first', 'second', 'end']);
  vi.advanceTimersByTime(1_000);
  expect(sent).toEqual(['first', 'second', 'end']);
  expect(vi.getTimerCount()).toBe(0);
});

test('subjects do not wait for each other', () => {
  for (const notice of ['first', 'second', 'third']) pass('one', notice);
  pass('other', 'of another');
  expect(sent).toEqual(['first', 'second', 'of another']);
});

test('the end sends what waits, once', () => {
  for (const notice of ['first', 'second', 'third']) pass('run', notice);
  pace.end();
  expect(sent).toEqual(['first', 'second', 'third']);
  vi.advanceTimersByTime(1_000);
  expect(sent).toEqual(['first', 'second', 'third']);
});
