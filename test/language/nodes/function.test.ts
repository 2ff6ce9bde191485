/** A function node would run other code than was written, or return a value that its schema forbids. */
import { expect, test } from 'vitest';
import type { JsonObject } from '../../../src/language/graph/values/value.ts';
import { functionNode } from '../../../src/language/nodes/function/function.ts';
import { kindRules } from '../../../src/language/nodes/registry.ts';
import { listProblems, runNode } from './support/node-call.ts';

const code = 'export default () => "{{n}}"';
const run = (config: JsonObject, value: JsonObject | number = 1) => {
  const jobs: unknown[] = [];
  return runNode(
    functionNode,
    { code, ...config },
    {
      roots: { n: [7] },
      sandbox: ({ code: source, argument, timeoutMs, memoryMb }) => {
        jobs.push({ source, argument, timeoutMs, memoryMb });
        return Promise.resolve({ value, logs: ['line'] });
      },
    },
  ).then((result) => ({ result, jobs }));
};

test('arguments are rendered, code never is; the value is the output and logs stand beside it', async () => {
  const { result, jobs } = await run({ arguments: { n: '{{n}}' }, limits: { timeout_ms: 100 } });
  expect(jobs).toEqual([{ source: code, argument: { n: [7] }, timeoutMs: 100, memoryMb: 128 }]);
  expect(result).toEqual({ outcome: 'completed', output: 1, input: { n: [7] }, logs: ['line'] });
});
test('a value that does not fit output_schema fails', async () => {
  const output_schema = { type: 'object', required: ['total'] };
  await expect(run({ output_schema }, { sum: 1 })).rejects.toMatchObject({
    code: 'output_schema_mismatch',
    retryable: false,
  });
  expect((await run({ output_schema }, { total: 1 })).result).toMatchObject({ output: { total: 1 } });
});
test('the node may take longer than its code', () => {
  expect(kindRules.policy('function', { code, limits: { timeout_ms: 30_000 } }).timeoutMs).toBeGreaterThan(
    30_000,
  );
});
test.each([
  [{ code: '' }, 'invalid_config code'],
  [{ code: 'x'.repeat(1_000_000) }, 'code_too_large code'],
  [{ code: 'a\0b' }, 'invalid_code code'],
  [{ code, language: 'python' }, 'invalid_config language'],
  [{ code, network: 'all' }, 'invalid_config network'],
  [{ code, limits: { timeout_ms: 60_000 } }, 'invalid_config limits.timeout_ms'],
])('SEC-X12: %.60j is refused', (config, problem) => {
  expect(listProblems(functionNode, config)).toEqual([problem]);
});
test('SEC-X12: 300 kB of source pass', () => {
  expect(listProblems(functionNode, { code: 'x'.repeat(300_000) })).toEqual([]);
});
