/** Part `web`: the editor in Chromium, beside the budgets of the page: CPU time of its main thread, and its size. */
import { randomUUID } from 'node:crypto';
import { join } from 'node:path';
import { ROOT } from '../../../src/processes/local/paths.ts';
import { compressedSizes } from '../../surfaces/web/support/sizes.ts';
import { enter, type Person } from '../canvas/load.ts';
import type { Measured, Part, PartLimits, Row } from '../part.ts';
import { percentile } from '../statistics.ts';
import type { Bench } from '../system.ts';
import { ms } from '../table.ts';
import { startEditors, type Editors, type Watched } from '../web/editor.ts';
import { makeGrid, zoomIn, type Box, type Found } from '../web/grid.ts';
import { respond, zoom } from '../web/hands.ts';
import { idleList } from '../web/idle-list.ts';
import { longRuns } from '../web/long-run.ts';

const FRAME_MS = 1_000 / 30;
const KIB = 1_024;
/** Twenty a second. */
const HALF_HOUR_EDITS = 36_000;
/** Forty a second from each of ten connections is what the server takes. */
const EDIT_PAUSE_MS = 27;

/** Drags a node that is in view. @returns ms of the main thread a step */
async function drag(editor: Watched, limits: PartLimits): Promise<number> {
  const { page } = editor;
  const boxes = (await page.evaluate(
    `[...document.querySelectorAll('[data-node^="n"]')].map((node) => node.getBoundingClientRect().toJSON())`,
  )) as readonly Box[];
  const box = boxes.find((one) => one.x > 200 && one.x < 800 && one.y > 200 && one.y < 600);
  if (box === undefined) throw new Error('no node is in the middle of the page');
  const [x, y] = [box.x + box.width / 2, box.y + 10];
  await page.mouse.move(x, y);
  await page.mouse.down();
  await page.mouse.move(x + 30, y + 20);
  await editor.painted();
  const cost = await editor.perMove(limits.quick ? 100 : 300, (index) => [
    x + 30 + (index % 60),
    y + 20 + (index % 40),
  ]);
  const isDragged = await page.locator('.react-flow__node.dragging').count();
  if (isDragged !== 1) throw new Error('nothing is dragged');
  await page.mouse.up();
  return cost;
}

/** Five others: their cursors and the drags of two at 30 Hz, and 20 operations a second of all. */
async function crowd({ side }: Editors, workflowId: string): Promise<() => void> {
  const auth = await side.auth(0);
  const people: Person[] = [];
  for (let seat = 0; seat < 5; seat += 1) people.push(await enter(side, auth, workflowId, `n${seat}`));
  let beat = 0;
  const presence = setInterval(() => {
    beat += 1;
    for (const [seat, { socket }] of people.entries()) {
      const at = { x: 400 + ((beat * 7) % 300), y: 300 + seat * 40 };
      socket.emit('cursor:move', { workflowId, ...at });
      if (seat < 2)
        socket.emit('node:drag', { workflowId, moves: [{ nodeId: `n${20 + seat}`, position: at }] });
    }
  }, FRAME_MS);
  const edits = setInterval(() => {
    const seat = beat % people.length;
    // To and fro beside its place: a node that leaves the others behind would make the whole graph another size.
    const position = { x: (seat + 10) * 312 + (beat % 7) * 8, y: (beat % 5) * 8 };
    const opId = randomUUID();
    people[seat]?.socket.emit('node:move', { workflowId, opId, nodeId: `n${seat + 10}`, position });
  }, 50);
  return () => {
    clearInterval(presence);
    clearInterval(edits);
    for (const { socket } of people) socket.disconnect();
  };
}

const measured = (found: readonly Found[]): Measured => ({
  rows: found.map(({ what, value, text }): Row => ({
    workload: what,
    service: text ?? ms(value),
    beside: null,
    ratio: null,
  })),
  values: Object.fromEntries(found.map(({ what, value }) => [what, value])),
});

async function drags(bench: Bench, editors: Editors, limits: PartLimits): Promise<Found[]> {
  const found: Found[] = [];
  for (const count of [300, 2_000]) {
    limits.tell(`${count} nodes`);
    const workflowId = await makeGrid(bench, count);
    const editor = await editors.open(workflowId);
    const name = count.toLocaleString('en');
    found.push({ what: `web: open ${name} nodes, main thread, ms`, value: await editor.spentMs() });
    await zoomIn(editor);
    found.push({ what: `web: drag one of ${name} nodes, ms a step`, value: await drag(editor, limits) });
    const leave = await crowd(editors, workflowId);
    try {
      await editor.page.waitForTimeout(500);
      let value = Number.NaN;
      const longest = await editor.longestTaskMs(async () => {
        value = await drag(editor, limits);
      });
      found.push(
        { what: `web: drag one of ${name} nodes while five others work, ms a step`, value },
        { what: `web: longest task of that drag of ${name}, ms`, value: longest },
      );
    } finally {
      leave();
    }
    await editor.page.close();
  }
  return found;
}

async function pan(bench: Bench, editors: Editors, limits: PartLimits): Promise<Found[]> {
  limits.tell('1,000 nodes in view');
  const editor = await editors.open(await makeGrid(bench, 1_000));
  const { page } = editor;
  await page.locator('.react-flow').focus();
  // The same page of 1,000 nodes as was opened: its main thread until then is the cost of opening it.
  const opened = await editor.spentMs();
  await page.keyboard.press('1');
  await page.waitForTimeout(400);
  await editor.idle();
  await page.mouse.move(640, 400);
  const value = await editor.perStep(limits.quick ? 20 : 60, async (index) => {
    await page.mouse.wheel(index % 20 < 10 ? 8 : -8, 4);
    await editor.painted();
  });
  await page.close();
  return [
    { what: 'web: open 1,000 nodes, main thread, ms', value: opened },
    { what: 'web: pan with 1,000 nodes in view, ms a step', value },
  ];
}

/** 200 tokens a second into one node, for as long as is asked. */
async function tokens(bench: Bench, editors: Editors, limits: PartLimits): Promise<Found[]> {
  limits.tell('tokens');
  const seconds = limits.quick ? 3 : 8;
  const editor = await editors.open(await makeGrid(bench, 30));
  const { page } = editor;
  const node = { node_id: 'n1', step_id: '00000000-0000-4000-8000-000000000002', node_name: 'n1' };
  let isOver = false;
  editors.runs.write = (outgoing) => {
    let seq = 0;
    const say = (frame: object): void => {
      seq += 1;
      outgoing.write(`data: ${JSON.stringify({ seq, ...node, ...frame })}\n\n`);
    };
    say({ type: 'node_started' });
    const timer = setInterval(() => {
      for (let token = 0; token < 4; token += 1) say({ type: 'token', channel: 'content', delta: ' token' });
      if (!isOver) return;
      clearInterval(timer);
      say({ type: 'run_completed' });
      outgoing.end();
    }, 20);
  };
  try {
    await page.locator('.react-flow').focus();
    await page.keyboard.press('Control+Enter');
    await page.getByRole('button', { name: 'Run draft' }).click();
    await page.locator('.wc-tokens').waitFor();
    await page.evaluate(
      'globalThis.frames = 0; (function next() { frames += 1; requestAnimationFrame(next); })()',
    );
    const [before, from] = [await editor.spentMs(), Number(await page.evaluate('frames'))];
    await page.waitForTimeout(seconds * 1_000);
    const [after, to] = [await editor.spentMs(), Number(await page.evaluate('frames'))];
    isOver = true;
    return [
      {
        what: 'web: 200 tokens/s into one node, ms a frame',
        value: (after - before) / Math.max(1, to - from),
      },
    ];
  } finally {
    isOver = true;
    editors.runs.write = null;
    await page.close();
  }
}

/** From the ack at an edit's author to the frame that shows it to somebody else, on one host. */
async function painted(bench: Bench, editors: Editors, limits: PartLimits): Promise<Found[]> {
  limits.tell('edits of others');
  const workflowId = await makeGrid(bench, 30);
  const editor = await editors.open(workflowId);
  const author = await enter(editors.side, await editors.side.auth(0), workflowId, 'n1');
  const late: number[] = [];
  try {
    for (let edit = 0; edit < (limits.quick ? 20 : 60); edit += 1) {
      const x = 320 + edit;
      const shown = editor.page.evaluate(
        // A style that is written in a frame is painted with it: the next task comes after that.
        `new Promise((done) => {
          const node = document.querySelector('[data-id="n1"]');
          const watch = new MutationObserver(() => {
            if (!node.style.transform.includes('translate(${x}px')) return;
            watch.disconnect();
            setTimeout(() => done(performance.timeOrigin + performance.now()), 0);
          });
          watch.observe(node, { attributes: true, attributeFilter: ['style'] });
        })`,
      );
      await editor.painted();
      const acked = new Promise<number>((resolve) => {
        author.socket.once('ack', () => resolve(performance.timeOrigin + performance.now()));
      });
      author.socket.emit('node:move', {
        workflowId,
        opId: randomUUID(),
        nodeId: 'n1',
        position: { x, y: 0 },
      });
      const [shownAt, ackedAt] = await Promise.all([shown, acked]);
      late.push(Math.max(0, Number(shownAt) - ackedAt));
    }
  } finally {
    author.socket.disconnect();
    await editor.page.close();
  }
  return [
    { what: 'web: an edit of another is painted after its ack, p95, ms', value: percentile(late, 0.95) },
  ];
}

/** As many edits as people make in half an hour, at the pace that the server takes; some of them this page's own. */
async function heap(bench: Bench, editors: Editors, limits: PartLimits): Promise<Found[]> {
  const workflowId = await makeGrid(bench, 300);
  const editor = await editors.open(workflowId);
  const auth = await editors.side.auth(0);
  const people: Person[] = [];
  for (let seat = 0; seat < 10; seat += 1)
    people.push(await enter(editors.side, auth, workflowId, `n${seat}`));
  await editor.page.locator('.react-flow').focus();
  await editor.page.keyboard.press('Control+a');
  /** @returns when so many edits of others have been sent, and one of this page for each hundred of them */
  const edit = async (count: number): Promise<void> => {
    for (let sent = 0; sent < count; sent += people.length) {
      for (const [seat, { socket }] of people.entries()) {
        const nodeId = `n${(sent + seat) % 300}`;
        const name = `Node ${sent} of ${seat}`;
        socket.emit('node:update', { workflowId, opId: randomUUID(), nodeId, changes: { name } });
      }
      if (sent % 100 === 0) await editor.page.keyboard.press(sent % 200 === 0 ? 'ArrowDown' : 'ArrowUp');
      if (sent % 1_000 === 0) limits.tell(`${sent} edits`);
      await editor.page.waitForTimeout(EDIT_PAUSE_MS);
    }
    await editor.idle();
  };
  try {
    // Until what is kept on purpose is full: the steps that can be undone.
    await edit(2_000);
    const before = await editor.heapMb();
    await edit(limits.quick ? 2_000 : HALF_HOUR_EDITS);
    const after = await editor.heapMb();
    const text = `${after.toFixed(1)} MB after ${before.toFixed(1)} MB`;
    return [{ what: 'web: heap after half an hour of edits / before', value: after / before, text }];
  } finally {
    for (const { socket } of people) socket.disconnect();
    await editor.page.close();
  }
}

const inKib = (bytes: number): string => `${Math.round(bytes / KIB)} KiB`;

function sizes(): Found[] {
  const { first, editor } = compressedSizes(join(ROOT, 'dist/web'));
  return [
    { what: 'web: first page, KiB compressed', value: first / KIB, text: inKib(first) },
    { what: 'web: editor, KiB compressed', value: editor / KIB, text: inKib(editor) },
  ];
}

export const web: Part = {
  name: 'web',
  summary: 'the editor in Chromium: CPU time of its main thread, and how much is fetched',
  weight: 2,
  async run(bench, limits) {
    const editors = await startEditors(bench);
    try {
      return measured([
        ...sizes(),
        ...(await drags(bench, editors, limits)),
        ...(await pan(bench, editors, limits)),
        ...(await zoom(bench, editors, limits)),
        ...(await respond(bench, editors, limits)),
        ...(await longRuns(bench, editors, limits)),
        ...(await idleList(bench, editors, limits)),
        ...(await tokens(bench, editors, limits)),
        ...(await painted(bench, editors, limits)),
        ...(await heap(bench, editors, limits)),
      ]);
    } finally {
      await editors.stop();
    }
  },
};
