/** Part `realtime`: the canvas beside bare Socket.io, with many people in one room, with many rooms, and a large one. */
import { crowdedRoom } from '../canvas/crowd.ts';
import { largeDocument } from '../canvas/large.ts';
import { manyRooms } from '../canvas/rooms.ts';
import { startSides } from '../canvas/sides.ts';
import type { Part } from '../part.ts';

export const realtime: Part = {
  name: 'realtime',
  summary: 'the canvas beside bare Socket.io: many people in one room, and many rooms',
  weight: 3,
  async run(bench, limits) {
    const sides = await startSides(bench);
    try {
      const crowded = await crowdedRoom(bench, sides, limits);
      const spread = await manyRooms(bench, sides, limits);
      const large = await largeDocument(bench, sides, limits);
      return {
        rows: [...crowded.rows, ...spread.rows, ...large.rows],
        values: { ...crowded.values, ...spread.values, ...large.values },
      };
    } finally {
      await sides.stop();
    }
  },
};
