/** Part `growth`: whether a node costs more in a long graph than in a short one. */
import { pureChain, toolChain } from '../graphs.ts';
import { roundsOf, type Part, type Row } from '../part.ts';
import { inTurns, median, timed } from '../statistics.ts';
import { ms } from '../table.ts';

const SIZES = { one: 1, ten: 10, hundred: 100, thousand: 1_000 } as const;

export const growth: Part = {
  name: 'growth',
  summary: 'cost of a node in graphs of 10 to 1,000 nodes',
  weight: 2,
  async run(bench, limits) {
    const tenant = await bench.tenant(0);
    const side = async (size: number) => {
      const workflowId = await tenant.deploy(`growth ${size}`, pureChain(size));
      return async () => [await timed(() => tenant.run(workflowId, { value: 1 }))];
    };
    const found = await inTurns(roundsOf(limits, 30, 10), limits, {
      one: await side(SIZES.one),
      ten: await side(SIZES.ten),
      hundred: await side(SIZES.hundred),
      thousand: await side(SIZES.thousand),
    });
    const one = median(found.one);
    // What a run costs without its nodes is not a node's: only what each further node adds.
    const perNode = (name: keyof typeof SIZES): number => (median(found[name]) - one) / (SIZES[name] - 1);
    const pure = (['ten', 'hundred', 'thousand'] as const).map((name): Row => ({
      workload: `each pure node of ${SIZES[name]}`,
      service: ms(perNode(name)),
      beside: `${ms(perNode('ten'))} of 10`,
      ratio: perNode(name) / perNode('ten'),
    }));
    const url = bench.tools.url('growth');
    const calls = { few: 10, many: limits.quick ? 100 : 400 };
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
      rows: [...pure, effectful],
      values: { 'cost per node, 1,000 nodes / 10 nodes': perNode('thousand') / perNode('ten') },
    };
  },
};
