/** Reports of tested cases: JUnit for CI systems, and TAP 14. */

export interface CaseResult {
  /** The file of the workflow; that of the case where it has none. */
  readonly file: string;
  /** The file of the case. */
  readonly path: string;
  /** `error`: nobody can tell. */
  readonly outcome: 'ok' | 'failed' | 'error';
  readonly verdict: string;
  /** The verdict in words. */
  readonly message: string;
  readonly differences: readonly string[];
  readonly seconds: number;
}

// oxlint-disable no-control-regex -- XML 1.0 has no place for these, not even escaped
const NOT_IN_XML =
  /[\u0000-\u0008\u000b\u000c\u000e-\u001f\ufffe\uffff]|[\ud800-\udbff](?![\udc00-\udfff])|(?<![\ud800-\udbff])[\udc00-\udfff]/g;
// oxlint-enable no-control-regex
const ENTITIES: Readonly<Record<string, string>> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' };
const escapeXml = (text: string): string =>
  text
    .replaceAll(NOT_IN_XML, '')
    .replaceAll(/[&<>"]/g, (character) => ENTITIES[character] ?? '')
    .replaceAll(/[\t\r\n]/g, (space) => `&#${space.charCodeAt(0)};`);

const attributes = (given: Readonly<Record<string, string | number>>): string =>
  Object.entries(given)
    .map(([name, value]) => ` ${name}="${escapeXml(String(value))}"`)
    .join('');

const count = (results: readonly CaseResult[]): Readonly<Record<string, string | number>> => ({
  tests: results.length,
  failures: results.filter(({ outcome }) => outcome === 'failed').length,
  errors: results.filter(({ outcome }) => outcome === 'error').length,
  skipped: 0,
  time: results.reduce((sum, { seconds }) => sum + seconds, 0).toFixed(3),
});

function toTestCase({ file, path, outcome, verdict, message, differences, seconds }: CaseResult): string[] {
  const head = `    <testcase${attributes({ classname: file, name: path, file: path, time: seconds.toFixed(3) })}`;
  if (outcome === 'ok') return [`${head}/>`];
  const element = outcome === 'failed' ? 'failure' : 'error';
  const text = escapeXml([message, ...differences].join('\n')).replaceAll('&#10;', '\n');
  const problem = `<${element}${attributes({ message, type: verdict })}>${text}</${element}>`;
  return [`${head}>`, `      ${problem}`, '    </testcase>'];
}

/** A suite for each file of a workflow. */
export function toJunit(results: readonly CaseResult[]): string {
  const files = [...new Set(results.map(({ file }) => file))];
  const suites = files.flatMap((file) => {
    const own = results.filter((one) => one.file === file);
    return [
      `  <testsuite${attributes({ name: file, ...count(own) })}>`,
      ...own.flatMap(toTestCase),
      '  </testsuite>',
    ];
  });
  const { skipped: _, ...sums } = count(results);
  return [
    '<?xml version="1.0" encoding="UTF-8"?>',
    `<testsuites${attributes({ name: 'workflow test', ...sums })}>`,
    ...suites,
    '</testsuites>',
    '',
  ].join('\n');
}

/** JSON is YAML, too: all texts in the diagnostics are written as JSON. */
export function toTap(results: readonly CaseResult[]): string {
  const lines = results.flatMap(({ file, path, outcome, verdict, message, differences }, at) => {
    const name = `${file}: ${path}`.replaceAll(/[\\#]/g, String.raw`\$&`).replaceAll(/[\r\n]/g, ' ');
    if (outcome === 'ok') return [`ok ${at + 1} - ${name}`];
    return [
      `not ok ${at + 1} - ${name}`,
      '  ---',
      `  message: ${JSON.stringify(message)}`,
      `  severity: ${outcome === 'failed' ? 'fail' : 'error'}`,
      `  verdict: ${JSON.stringify(verdict)}`,
      ...(differences.length === 0 ? [] : ['  differences:']),
      ...differences.map((difference) => `    - ${JSON.stringify(difference)}`),
      '  ...',
    ];
  });
  return ['TAP version 14', `1..${results.length}`, ...lines, ''].join('\n');
}
