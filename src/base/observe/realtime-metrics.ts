/** Metrics of canvas co-editing. Labels are fixed words, never ids. */
import { Counter, Gauge, Histogram } from 'prom-client';
import { registers } from './metrics.ts';

const operations = new Counter({
  name: 'realtime_operations_total',
  help: 'Durable operations by outcome: accepted, or the code of the refusal',
  labelNames: ['outcome'],
  registers,
});
const saves = new Histogram({
  name: 'realtime_save_seconds',
  help: 'Saves of rooms; unknown: the database did not answer',
  labelNames: ['outcome'],
  buckets: [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5],
  registers,
});
const logged = new Counter({
  name: 'realtime_logged_operations_total',
  help: 'Operations written to the write-ahead log',
  registers,
});
const gauges = {
  rooms: new Gauge({ name: 'realtime_rooms', help: 'Live rooms of this process', registers }),
  connections: new Gauge({ name: 'realtime_connections', help: 'Connected transports', registers }),
  relayedSessions: new Gauge({
    name: 'realtime_relayed_sessions',
    help: 'Clients of this process in rooms that another process owns',
    registers,
  }),
  unsavedOperations: new Gauge({
    name: 'realtime_unsaved_operations',
    help: 'Accepted operations that no save contains yet',
    registers,
  }),
  degradedRooms: new Gauge({ name: 'realtime_degraded_rooms', help: 'Rooms that cannot save', registers }),
  unreadBytes: new Gauge({
    name: 'realtime_unread_bytes',
    help: 'Bytes that were sent and that clients have not taken yet, as far as this process holds them',
    registers,
  }),
};

/** Counts a durable operation. @param outcome `accepted` or an error code */
export function noteOperation(outcome: string): void {
  operations.inc({ outcome });
}

/** Starts timing a save; call the result with its outcome. */
export function timeSave(): (outcome: string) => void {
  const end = saves.startTimer();
  return (outcome) => void end({ outcome });
}

export function noteLogged(rows: number): void {
  logged.inc(rows);
}

/** Sets the gauges for the next scrape. */
export function noteOccupancy(now: Readonly<Record<keyof typeof gauges, number>>): void {
  gauges.rooms.set(now.rooms);
  gauges.connections.set(now.connections);
  gauges.relayedSessions.set(now.relayedSessions);
  gauges.unsavedOperations.set(now.unsavedOperations);
  gauges.degradedRooms.set(now.degradedRooms);
  gauges.unreadBytes.set(now.unreadBytes);
}
