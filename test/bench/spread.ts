/** Runs of one definition, spread over several tenants: each may hold so many streams only. */
import type { JsonObject } from '../../src/language/graph/values/value.ts';
import type { Bench } from './system.ts';

/** Deploys a definition for so many tenants. @returns what runs it to its end, for the tenant with the fewest under way */
export async function spread(
  bench: Bench,
  tenants: number,
  deployed: { readonly name: string; readonly definition: JsonObject; readonly input: JsonObject },
): Promise<() => Promise<void>> {
  const places = await Promise.all(
    Array.from({ length: tenants }, async (_, number) => {
      const tenant = await bench.tenant(number);
      return { tenant, workflowId: await tenant.deploy(deployed.name, deployed.definition), underWay: 0 };
    }),
  );
  return async () => {
    const place = places.reduce((least, one) => (one.underWay < least.underWay ? one : least));
    place.underWay += 1;
    await place.tenant.run(place.workflowId, deployed.input).finally(() => (place.underWay -= 1));
  };
}
