/** If this fails, a workflow answers a webhook with a status or a header that a client takes for the service's own. */
import { describe, expect, test } from 'vitest';
import { z } from 'zod';
import type { Json } from '../../../src/language/graph/values/value.ts';
import { renderRespond, respondField } from '../../../src/language/nodes/transformer/respond.ts';

const setting = z.object(respondField);

/** Renders `{{v}}` alone, as the value itself. */
function render(respond: object, v: Json, output: Json = { said: 'Hello' }) {
  const parsed = setting.parse({ respond }).respond;
  if (!parsed) throw new Error('the setting is missing');
  const call = {
    render: (value: Json): Json => (value === '{{v}}' ? v : value),
    renderText: (template: string): string => template.replaceAll('{{v}}', String(v)),
  };
  return renderRespond(call, parsed, output);
}

describe('a response', () => {
  test('is 200 with the output of the node where the setting says nothing', () => {
    expect(render({}, null)).toEqual({
      status: 200,
      contentType: 'application/json',
      headers: {},
      body: { said: 'Hello' },
    });
  });

  test('has the rendered status, headers and body', () => {
    const respond = { status: '{{v}}', headers: { 'X-Left': '{{v}}', 'Retry-After': '1' }, body: '{{v}}' };
    expect(render(respond, 404)).toMatchObject({
      status: 404,
      headers: { 'X-Left': '404', 'Retry-After': '1' },
      body: 404,
    });
  });

  test.each([100, 199, 302, 600, 200.5, 'many', '', null])('has no status %j', (v) => {
    expect(() => render({ status: '{{v}}' }, v)).toThrow('respond.status must be');
  });

  test.each(['a\r\nSet-Cookie: b=c', 'ä', 'x'.repeat(501)])('has no header with the value %j', (v) => {
    expect(() => render({ headers: { 'X-Value': '{{v}}' } }, v)).toThrow('respond.headers.X-Value must be');
  });

  test('has a body of 1 MiB at most', () => {
    expect(() => render({ body: '{{v}}' }, 'x'.repeat(1024 * 1024))).toThrow('more than 1 MiB');
    expect(render({ body: '{{v}}' }, 'x'.repeat(1024 * 1024 - 2)).status).toBe(200);
  });

  test.each(['Set-Cookie', 'Content-Type', 'Connection', 'Location', 'Content-Security-Policy', 'X-ä'])(
    'cannot have the header %s',
    (name) => {
      expect(setting.safeParse({ respond: { headers: { [name]: 'x' } } }).success).toBe(false);
    },
  );
});
