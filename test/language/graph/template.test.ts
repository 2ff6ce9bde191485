/** A template would insert a wrong value, or a hostile one would read what it must not or stall the process. */
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { checkFilterArguments } from '../../../src/language/graph/filters/filters.ts';
import { scanTemplate, TemplateError } from '../../../src/language/graph/template/template-scanner.ts';
import {
  findReferences,
  render,
  renderText,
  type TemplateScope,
} from '../../../src/language/graph/template/template.ts';
import {
  MAX_RENDERED_CHARS,
  MAX_RENDERED_TOTAL_CHARS,
  RenderBudget,
  RenderTooLarge,
} from '../../../src/language/graph/template/render-budget.ts';
import { setOwn, type Json, type JsonObject } from '../../../src/language/graph/values/value.ts';
import { WorkLimitExceeded } from '../../../src/language/graph/values/work-budget.ts';
import { spending } from '../../support/spending.ts';

interface Recorded extends TemplateScope {
  readonly warnings: { reference: string; available: string[] }[];
}

function scopeOf(roots: Record<string, Json>): Recorded {
  const warnings: Recorded['warnings'] = [];
  return {
    warnings,
    root: (name) =>
      Object.hasOwn(roots, name) ? { state: 'value', value: roots[name] ?? null } : { state: 'empty' },
    missing: (reference, available) => void warnings.push({ reference, available }),
    budget: new RenderBudget(),
  };
}

const scope = scopeOf({
  a: { n: 1, t: 'x', list: [10, 20], nothing: null, 'any key': true, deep: { k: [{ z: 'end' }] } },
  input: { name: 'Ada' },
});

describe('template grammar', () => {
  it.each([
    ['{{a}}', 'a', []],
    ['{{ a.b-c._d }}', 'a', ['b-c', '_d']],
    ['{{a[0].b}}', 'a', [0, 'b']],
    ['{{a["any }} key"]["q\\"uote"]}}', 'a', ['any }} key', 'q"uote']],
    ['{{ré.clé}}', 'ré', ['clé']],
    ['{{a.0}}', 'a', ['0']],
  ])('reads %s', (text, root, path) => {
    expect(scanTemplate(text).single).toMatchObject({ root, path, filters: [] });
  });

  it('reads the three filters, with braces and parentheses inside the default', () => {
    expect(scanTemplate('{{a | json}}').single?.filters).toEqual([{ name: 'json', args: [] }]);
    expect(scanTemplate('{{ a|length }}').single?.filters).toEqual([{ name: 'length', args: [] }]);
    expect(scanTemplate('{{a|default({"x": ")}}", "y": [1]})}}').single?.filters).toEqual([
      { name: 'default', args: [{ value: { x: ')}}', y: [1] } }] },
    ]);
  });

  it('keeps an escaped opening as text', () => {
    expect(render('\\{{a}} {{a.t}}', scope)).toBe('{{a}} x');
  });

  it.each([
    '{{',
    '{{}}',
    '{{ }}',
    '{{a',
    '{{a}',
    '{{a..b}}',
    '{{a.}}',
    '{{1a}}',
    '{{a b}}',
    '{{a + 1}}',
    '{{a()}}',
    '{{{a}}}',
    '{{a[}}',
    '{{a[-1]}}',
    '{{a[01]}}',
    '{{a[999999999999]}}',
    "{{a['k']}}",
    '{{a["k}}',
    '{{a|shout}}',
    '{{a|upper: 1}}',
    '{{a|upper(}}',
    '{{a|upper()}}',
    '{{a|replace: "x"}}',
    '{{a|replace: "x",}}',
    '{{a|replace: "x" "y"}}',
    '{{a|escape: "sql"}}',
    "{{a|split: 'x}}",
    '{{a|round: 1e400}}',
    '{{a|round: 01}}',
    '{{a|date: "YYYY"}}',
    '{{a|currency: "eur"}}',
    '{{a|format_number: "xx"}}',
    '{{a|default}}',
    '{{a|default(}}',
    '{{a|default(x y)}}',
    '{{a|default("\\u0000")}}',
    '{{a|default([{"\\ud800": 1}])}}',
    '{{a|default(1e400)}}',
    '{{a["\\u0000"]}}',
    '{{a|}}',
  ])('refuses %s', (text) => {
    expect(() => scanTemplate(text, checkFilterArguments)).toThrow(TemplateError);
  });

  it('says where the mistake is', () => {
    expect(() => scanTemplate('ab {{x..y}}')).toThrow('Template needs a key at character 8');
  });

  it('SEC-M09: takes a path of 256 segments and refuses one of 10,000', () => {
    expect(scanTemplate(`{{a${'.b'.repeat(256)}}}`).single?.path).toHaveLength(256);
    expect(() => scanTemplate(`{{a${'.b'.repeat(10_000)}}}`)).toThrow(/256 segments/);
  });

  it('SEC-M09: reads each character once, however hostile the text', () => {
    // A quadratic scan of any of these would take minutes and meet the test's time limit.
    const many = 500_000;
    for (const text of ['{{'.repeat(many), '{{a|default("'.repeat(many), `{{a["${'\\"'.repeat(many)}`]) {
      expect(() => scanTemplate(text)).toThrow(TemplateError);
    }
    expect(scanTemplate('{{a}} '.repeat(many)).parts).toHaveLength(2 * many);
    expect(scanTemplate('\\{{'.repeat(many)).parts).toEqual(['{{'.repeat(many)]);
  });
});

describe('render', () => {
  it.each<[string, Json]>([
    ['{{a.n}}', 1],
    [' {{a.list}}\n', [10, 20]],
    ['{{a.nothing}}', null],
    ['{{a["any key"]}}', true],
    ['{{a.deep.k[0].z}}', 'end'],
    ['{{a.list.1}}', 20],
    ['{{state.a.n}}', 1],
    ['{{state["input"]}}', { name: 'Ada' }],
    ['n={{a.n}}{{a["any key"]}}', 'n=1true'],
    ['<{{a.nothing}}>', '<>'],
    ['list {{a.list}} {{a.deep}}', 'list [10,20] {"k":[{"z":"end"}]}'],
    ['{{a.list | length}}', 2],
    ['{{input.name | length}}', 3],
    ['{{a | length}}', 6],
    ['{{a.nothing | length}}', 0],
    ['{{a.list | json}}', '[10,20]'],
    ['{{a.t | json}}', '"x"'],
    ['{{a.nothing | default("d")}}', 'd'],
    ['{{a.n | default("d")}}', 1],
    ['{{later.x | default([])}}', []],
    ['{{later.x}}', null],
    ['{{later.x}}!', '!'],
    ['no template', 'no template'],
  ])('%s', (text, expected) => {
    expect(render(text, scope)).toEqual(expected);
  });

  it('renders leaf by leaf and leaves keys and other values alone', () => {
    const value: Json = { '{{a.t}}': ['{{a.n}}', 2, null, { deep: '{{a.t}}!' }] };
    expect(render(value, scope)).toEqual({ '{{a.t}}': [1, 2, null, { deep: 'x!' }] });
  });

  it('warns about a path that does not exist, naming what is there', () => {
    const own = scopeOf({ classify: { data: { topic: 'x' } } });
    expect(render('{{classify.data.topik}}', own)).toBeNull();
    expect(render('{{classify.data.topic.more}} {{state.classify.nope | json}}', own)).toBe(' null');
    expect(own.warnings).toEqual([
      { reference: 'classify.data.topik', available: ['topic'] },
      { reference: 'classify.data.topic.more', available: [] },
      { reference: 'state.classify.nope', available: ['data'] },
    ]);
  });

  it('does not warn when a default is given or the root has no value yet', () => {
    const own = scopeOf({ a: {} });
    render('{{a.gone | default(1)}} {{never.ran.x}}', own);
    expect(own.warnings).toEqual([]);
  });

  it('SEC-M01: sees own properties only', () => {
    const own = scopeOf({ a: { list: [1] } });
    for (const text of [
      'a.constructor.constructor',
      'a.__proto__.x',
      '__proto__',
      'a["constructor"]',
      'a.list.length',
      'a.toString',
    ]) {
      expect(render(`{{${text}}}`, own)).toBeNull();
      expect(renderText(`<{{${text}}}>`, own)).toBe('<>');
    }
  });

  it('encodes inserted values but not the literal parts', () => {
    const own = scopeOf({ a: '../../admin?x=' });
    expect(renderText('/items/{{a}}/x?y', own, encodeURIComponent)).toBe('/items/..%2F..%2Fadmin%3Fx%3D/x?y');
  });

  it('SEC-M08: stops at 1 MiB of rendered text', () => {
    const own = scopeOf({ a: 'x'.repeat(MAX_RENDERED_CHARS), o: ['x'.repeat(MAX_RENDERED_CHARS)] });
    expect(renderText('{{a}}', own)).toHaveLength(MAX_RENDERED_CHARS);
    expect(() => renderText('{{a}}!', own)).toThrow(RenderTooLarge);
    expect(() => render('{{o | json}}', own)).toThrow(RenderTooLarge);
    expect(() => render('{{a}}'.repeat(500_000), own)).toThrow(RenderTooLarge);
  });

  it('SEC-M08: stops when all that is rendered is larger than 16 MiB, which is counted before it is built', () => {
    // The quotes of a text are counted, too.
    const chars = MAX_RENDERED_TOTAL_CHARS / 16 - 2;
    const fits = scopeOf({ a: 'x'.repeat(chars) });
    const sixteen = Array.from({ length: 16 }, () => '{{a}}');
    expect(render(sixteen, fits)).toHaveLength(16);
    expect(() => render('', fits)).toThrow(RenderTooLarge);
    const over = scopeOf({ a: 'x'.repeat(chars), b: `${'x'.repeat(chars)}y` });
    expect(() => render([...sixteen.slice(1), '{{b}}'], over)).toThrow(RenderTooLarge);
  });

  it.each<[string, Json]>([
    ['fields', Object.fromEntries(Array.from({ length: 300 }, (_, at) => [`f${at}`, '{{a}}']))],
    ['texts around it', Array.from({ length: 300 }, () => '<{{a}}>')],
    ['an object in it', Array.from({ length: 300 }, () => '{{o}}')],
    ['its JSON', Array.from({ length: 300 }, () => '{{o | json}}')],
    ['the whole state', Array.from({ length: 300 }, () => '{{state}}')],
  ])('SEC-M08: refuses a megabyte that is repeated by %s', (_, repeated) => {
    const a = 'x'.repeat(1_000_000);
    const own = scopeOf({ a, o: { list: [a] }, state: { a } });
    expect(() => render(repeated, own)).toThrow(RenderTooLarge);
  });

  const large = { list: Array.from({ length: 5_000 }, (_, at) => at), object: {} as JsonObject };
  for (const at of large.list) large.object[`k${at}`] = at;

  it.each<[string, Json]>([
    ['a large value', '{{list}}'],
    ['a large value as text', 'x{{list}}'],
    ['a value as JSON', '{{object | json}}'],
    ['the number of members', '{{object | length}}'],
    ['members that are named where one is missing', '{{object.none}}'],
    ['many templates', Array.from({ length: 100 }, () => '{{object.k1}}')],
    ['many members', Object.fromEntries(Array.from({ length: 100 }, (_, at) => [`m${at}`, 1]))],
  ])('SEC-H01: renders %s within its steps, and refuses it with one less', (_, value) => {
    const { steps, enough, tooLittle } = spending((work) =>
      render(value, { ...scopeOf(large), budget: new RenderBudget(work) }),
    );
    expect(steps).toBeGreaterThan(1_000);
    expect(enough()).toEqual(render(value, scopeOf(large)));
    expect(tooLittle).toThrow(WorkLimitExceeded);
  });

  it('SEC-H01: all that may be rendered fits into one turn', () => {
    const digits = Array.from({ length: MAX_RENDERED_TOTAL_CHARS / 2 - 1 }, () => 7);
    expect(render('{{digits}}', scopeOf({ digits }))).toBe(digits);
  });

  it('refuses to write a value too deep for the stack instead of crashing', () => {
    const deep = JSON.parse('['.repeat(200_000) + ']'.repeat(200_000)) as Json;
    expect(() => render('x{{a}}', scopeOf({ a: deep }))).toThrow(RenderTooLarge);
  });

  it('SEC-M03: never reads an inserted value as a template again', () => {
    const piece = fc.constantFrom('{{', '}}', '{{secret}}', '\\{{', '$&', '"', 'secret', ' | json');
    const hostile = fc.array(fc.oneof(piece, fc.string()), { maxLength: 6 }).map((parts) => parts.join(''));
    fc.assert(
      fc.property(hostile, hostile, (a, secret) => {
        const own = scopeOf({ a, secret });
        expect(render('{{a}}', own)).toBe(a);
        expect(render('<{{a}}|{{a}}>', own)).toBe(`<${a}|${a}>`);
        expect(render({ k: ['{{a}}', '[{{a | json}}]'] }, own)).toEqual({ k: [a, `[${JSON.stringify(a)}]`] });
      }),
    );
  });

  it('keeps every JSON value as it is when the string is exactly one template', () => {
    fc.assert(
      fc.property(fc.jsonValue(), (value) => {
        expect(render(' {{a}} ', scopeOf({ a: value as Json }))).toEqual(value);
      }),
    );
  });

  it('keeps a key called __proto__ an ordinary key', () => {
    const value: JsonObject = {};
    setOwn(value, '__proto__', '{{a.n}}');
    const rendered = render(value, scope) as JsonObject;
    expect(Object.keys(rendered)).toEqual(['__proto__']);
    expect(Object.getPrototypeOf(rendered)).toBe(Object.prototype);
  });
});

describe('referencesIn', () => {
  it('finds references with their place and skips literal keys at the top only', () => {
    const found = findReferences(
      { code: '{{x}} {{', list: ['{{a.b}} {{state.f}}'], inner: { code: '{{y}}' } },
      ['code'],
    );
    expect(found.references.map(({ text, at }) => [text, at])).toEqual([
      ['a.b', ['list', 0]],
      ['state.f', ['list', 0]],
      ['y', ['inner', 'code']],
    ]);
    expect(found.errors).toEqual([]);
  });

  it('reports malformed templates with their place', () => {
    expect(findReferences({ a: ['{{x'] }).errors).toMatchObject([{ at: ['a', 0] }]);
  });

  it('never throws on JSON', () => {
    fc.assert(fc.property(fc.jsonValue(), (value) => void findReferences(value as Json)));
  });
});
