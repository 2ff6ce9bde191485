/** Part `growth`: whether a node costs more in a long graph than in a short one. */
import { pureChain, toolChain } from '../graphs.ts';
import { roundsOf, type Part, type Row } from '../part.ts';
import { inTurns, median, timed } from '../statistics.ts';
import { ms } from '../table.ts';

export const growth: Part = {
  name: 'growth',
  summary: 'cost of a further node in graphs of 10 to 1,000 nodes',
  weight: 2,
  async run(bench, limits) {
    const tenant = await bench.tenant(0);
    const side = async (size: number) => {
      const workflowId = await tenant.deploy(`growth ${size}`, pureChain(size));
      return async () => [await timed(() => tenant.run(workflowId, { value: 1 }))];
    };
    const found = await inTurns(roundsOf(limits, 30, 10), limits, {
      ten: await side(10),
      hundred: await side(100),
      thousand: await side(1_000),
    });
    // What a run costs without its nodes is not a node's: only what each further node adds counts.
    const early = (median(found.hundred) - median(found.ten)) / 90;
    const late = (median(found.thousand) - median(found.hundred)) / 900;
    if (early <= 0) throw new Error('the machine is too busy: 100 nodes took no longer than 10');
    const pure: Row = {
      workload: 'each further pure node, 100 to 1,000',
      service: ms(late),
      beside: `${ms(early)}, 10 to 100`,
      ratio: late / early,
    };
    const url = bench.tools.url('growth');
    const calls = { few: 10, many: limits.quick ? 50 : 200 };
    const toolSide = async (size: number) => {
      const workflowId = await tenant.deploy(`growth of tools ${size}`, toolChain(size));
      return async () => [(await timed(() => tenant.run(workflowId, { url }))) / size];
    };
    const effects = await inTurns(1, limits, {
      few: await toolSide(calls.few),
      many: await toolSide(calls.many),
    });
    const [few, many] = [median(effects.few), median(effects.many)];
    const effectful: Row = {
      workload: `each effectful node of ${calls.many}`,
      service: ms(many),
      beside: `${ms(few)} of ${calls.few}`,
      ratio: many / few,
    };
    return {
      rows: [pure, effectful],
      values: { 'cost of a further node, 100 to 1,000 / 10 to 100': late / early },
    };
  },
};
