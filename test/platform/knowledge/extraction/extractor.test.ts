/**
 * A document would be read wrongly, or one that is built to harm would take down the worker (SPEC SEC-K09 to
 * SEC-K14).
 */
import { readFile, readlink } from 'node:fs/promises';
import { join } from 'node:path';
import { pino } from 'pino';
import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest';
import type * as Built from '../../../../src/platform/knowledge/extraction/extractor.ts';
import type { Extraction } from '../../../../src/platform/knowledge/extraction-port.ts';
import { networkless } from '../../../../src/platform/sandbox/isolation.ts';
import {
  cjkFont,
  docx,
  docxIn,
  pdf,
  pdfText,
  wordEntries,
  wordParagraph,
  wordTable,
  wordXml,
  zip,
} from '../../../support/documents.ts';
import { eventually } from '../../../support/waiting.ts';

const CHUNKING = { chunkSize: 200, chunkOverlap: 20 };
const MEBIBYTE = 1024 * 1024;
const log = pino({ level: 'silent' });

const hasNetworks = (await networkless()) !== null;

/** As it is built: from source each of these processes would compile its readers anew. */
const { createExtractor } = (await import(
  join(inject('builtService'), 'src', 'platform', 'knowledge', 'extraction', 'extractor.js')
)) as typeof Built;

let extractor: ReturnType<typeof Built.createExtractor>;
beforeAll(() => {
  process.env['CANARY_SECRET'] = 'CANARY-extraction';
  extractor = createExtractor(log);
});
afterAll(() => extractor.close());

const extract = (
  bytes: Uint8Array | string,
  fileName: string,
  signal = new AbortController().signal,
): Promise<Extraction> =>
  extractor.extract(
    {
      organizationId: 'o',
      bytes: typeof bytes === 'string' ? Buffer.from(bytes) : bytes,
      fileName,
      chunking: CHUNKING,
    },
    signal,
  );
const textOf = async (bytes: Uint8Array | string, fileName: string): Promise<string> =>
  (await extract(bytes, fileName)).chunks.map(({ text }) => text).join('\n');
const refusal = (bytes: Uint8Array | string, fileName: string): Promise<string> =>
  extract(bytes, fileName).then(
    () => 'read',
    (error: Error & { code?: string }) =>
      error.name === 'ExtractionFailed' ? (error.code ?? '') : String(error),
  );
/** The process that reads the next document. */
const nextPid = (besides = 0): Promise<number> =>
  eventually('an extraction process', 20_000, () => extractor.pids.find((pid) => pid !== besides));

describe('documents that people write', () => {
  test('text', async () => {
    expect(await extract('One line.\n\nAnother – 🙂.', 'a.txt')).toEqual({
      type: 'text',
      characters: 24,
      tokens: 7,
      chunks: [{ text: 'One line.\n\nAnother – 🙂.', tokens: 7, position: 0 }],
    });
  });
  test('Markdown, with its headings', async () => {
    const { type, chunks } = await extract('# Title\n\nA [link](https://x.test).', 'a.md');
    expect({ type, chunks }).toMatchObject({ type: 'markdown', chunks: [{ heading: 'Title' }] });
  });
  test('SEC-K13: HTML, without what does not show', async () => {
    const html = `<!doctype html><head><title>tab</title><meta http-equiv="refresh" content="0;url=//evil.test">
      <style>p{}</style></head><h1>Head &amp; tail</h1><p onclick="evil()">Hello <b>you</b>,
      see <a href="https://x.test">this</a>.<script>evil()</script><img src=x onerror=evil()>
      <table><tr><th>a</th><td>b</td></tr><tr><td>c</td></tr></table>`;
    const { chunks } = await extract(html, 'a.html');
    expect(chunks).toMatchObject([
      { heading: 'Head & tail', text: 'Head & tail\n\nHello you, see this.\n\na\tb\nc' },
    ]);
  });
  test.each([
    ['by its attribute', '<p>a</p><p hidden>secret</p><div hidden><p>secret</p></div>'],
    [
      'by its style',
      '<p>a</p><p style="color: red; Display : none">secret</p><p style="VISIBILITY:hidden">secret</p>',
    ],
    [
      'in a table',
      '<table><tr><td>a</td><td hidden>secret</td></tr><tr style="display:none"><td>secret</td></tr></table>',
    ],
    ['of a form', '<p>a</p><select><option>secret<option>secret</select><datalist><option>secret</datalist>'],
  ])('HTML without the text that is hidden %s', async (_, html) => {
    expect(await textOf(`<!doctype html>${html}`, 'a.html')).toBe('a');
  });
  test('HTML with text whose style only resembles a hidden one', async () => {
    const html = '<!doctype html><p style="display:block">a</p><p style="opacity:0.5">b</p>';
    expect(await textOf(html, 'a.html')).toBe('a\n\nb');
  });
  test('CSV, with its header in each chunk', async () => {
    const rows = Array.from({ length: 300 }, (__, at) => `${at},Person ${at}`);
    const { type, chunks } = await extract(`id,name\r\n${rows.join('\r\n')}`, 'people.csv');
    expect([type, chunks.length > 1]).toEqual(['csv', true]);
    for (const { text } of chunks) expect(text.startsWith('id,name\n')).toBe(true);
  });
  test('a PDF, page after page, wrapped lines joined', async () => {
    expect(await textOf(pdf(pdfText('Hello from', 'a page.', 'Next'), { pages: 2 }), 'a.pdf')).toBe(
      'Hello from a page.\nNext\n\nHello from a page.\nNext',
    );
  });
  test.each([
    ['UniGB-UCS2-H', 'GB1', '4f60597d4e16754c', '你好世界'],
    ['GBK-EUC-H', 'GB1', 'c4e3bac3', '你好'],
    ['90ms-RKSJ-H', 'Japan1', '93fa967b8cea', '日本語'],
    ['UniJIS-UTF16-H', 'Japan1', '65e5672c8a9e', '日本語'],
    ['KSCms-UHC-H', 'Korea1', 'c7d1b1db', '한글'],
    ['ETen-B5-H', 'CNS1', 'a4a4a4e5', '中文'],
  ])('a PDF in a font with the CMap %s', async (cmap, ordering, codes, text) => {
    const content = `BT /F1 12 Tf 72 720 Td <${codes}> Tj ET`;
    expect(await textOf(pdf(content, { font: cjkFont(cmap, ordering) }), 'a.pdf')).toBe(text);
  });
  test.each([
    ['an empty line', '\n\r\n'],
    ['a byte order mark', '\uFEFF'],
    ['a printer’s job', '\u001b%-12345X@PJL JOB\r\n@PJL ENTER LANGUAGE=PDF\r\n'],
    ['a header of HTTP', 'HTTP/1.1 200 OK\r\nContent-Type: application/pdf\r\n\r\n'],
  ])('a PDF behind %s', async (_name, before) => {
    const bytes = Buffer.concat([Buffer.from(before), pdf(pdfText('Hello'))]);
    expect(await textOf(bytes, 'a.pdf')).toBe('Hello');
  });
  test.each([
    ['UTF-16 with a mark of its byte order', Buffer.from('\uFEFFGrüße, 世界 🙂', 'utf16le'), 'a.txt'],
    ['UTF-16 of the other byte order', Buffer.from('\uFEFFGrüße, 世界 🙂', 'utf16le').swap16(), 'a.txt'],
    ['UTF-16 without a mark', Buffer.from('Gruesse, and more of them. Grüße.', 'utf16le'), 'a.txt'],
    [
      'a page in the code page that it names',
      Buffer.concat([
        Buffer.from('<!doctype html><meta charset="windows-1251"><p>'),
        Buffer.from('cff0e8e2e5f2', 'hex'),
      ]),
      'a.html',
    ],
  ])('%s', async (_name, bytes, fileName) => {
    expect(await textOf(bytes, fileName)).toMatch(
      /^(Grüße, 世界 🙂|Gruesse, and more of them\. Grüße\.|Привет)$/,
    );
  });
  test('a table of a Word document, with its columns and its empty cells', async () => {
    const cell = wordParagraph;
    const table = wordTable(
      [cell('Name'), cell('Price'), cell('Stock')],
      [cell('Bolt') + cell('M8'), '', cell('12')],
      ['', cell('3'), cell('4')],
      [`<w:tcPr><w:gridSpan w:val="2"/></w:tcPr>${cell('Sum')}`, cell('16')],
      [`<w:tcPr><w:vMerge w:val="restart"/></w:tcPr>${cell('Tall')}`, cell('a'), cell('b')],
      ['<w:tcPr><w:vMerge/></w:tcPr>', cell('c'), cell('d')],
    );
    expect(await textOf(docx(cell('Before') + table + cell('After')), 'a.docx')).toBe(
      'Before\n\nName\tPrice\tStock\nBolt M8\t\t12\n\t3\t4\nSum\t\t16\nTall\ta\tb\n\tc\td\n\nAfter',
    );
  });
  test.each([
    ['63 columns', 63, 63],
    ['64 columns', 64, 63],
    ['a million columns', 1_000_000, 63],
    ['no columns', 0, 1],
  ])('a cell that says it spans %s', async (_name, told, columns) => {
    const html = `<table><tr><td>a</td><td colspan="${told}">b</td><td>c</td></tr></table>`;
    expect(await textOf(html, 'a.html')).toBe(`a\tb${'\t'.repeat(columns)}c`);
  });
  test('a table that only lays out a page keeps its headings and paragraphs', async () => {
    const html = '<table><tr><td><h1>Title</h1><p>One.</p><p>Two.</p></td><td><p>Side.</p></td></tr></table>';
    const { chunks } = await extract(html, 'a.html');
    expect(chunks).toMatchObject([{ heading: 'Title', text: 'Title\n\nOne.\n\nTwo.\n\nSide.' }]);
  });
  test('a Word document whose text lies in another part', async () => {
    expect(await textOf(docxIn('document2.xml', wordParagraph('Hello')), 'a.docx')).toBe('Hello');
  });
  test('a Word document, with its headings', async () => {
    const { type, chunks } = await extract(
      docx(wordParagraph('Summary', 'Heading1') + wordParagraph('Less &amp; more.')),
      'a.docx',
    );
    expect({ type, chunks }).toMatchObject({
      type: 'docx',
      chunks: [{ heading: 'Summary', text: 'Summary\n\nLess & more.' }],
    });
  });
  test('more documents than processes, each with its own text', async () => {
    const all = await Promise.all(Array.from({ length: 6 }, (_, at) => textOf(`document ${at}`, 'a.txt')));
    expect(all).toEqual(all.map((_, at) => `document ${at}`));
  });
});

describe('documents that are not read', () => {
  test.each([
    ['SEC-K09: a program', Buffer.from('MZ\u0000'), 'a.md', 'unsupported_type'],
    ['SEC-K09: text in a code page', Buffer.from('Grüße', 'latin1'), 'a.txt', 'unknown_encoding'],
    ['SEC-K09: an old Word document', Buffer.from('d0cf11e0a1b11ae10000', 'hex'), 'a.doc', 'old_word'],
    ['an empty text', ' \n ', 'a.txt', 'no_text'],
    ['a PDF of pictures', pdf('0 0 m'), 'a.pdf', 'no_text'],
    ['a PDF cut short', pdf(pdfText('x')).subarray(0, 250), 'a.pdf', 'damaged'],
    ['the head of a PDF alone', '%PDF-1.7', 'a.pdf', 'damaged'],
    ['SEC-K12: a PDF of 100,000 pages', pdf(pdfText('x'), { pages: 100_000 }), 'a.pdf', 'too_large'],
    ['text over 10 MB', 'word '.repeat(2_200_000), 'a.txt', 'too_large'],
    ['SEC-K13: 20,000 nested elements', '<div>'.repeat(20_000), 'a.html', 'too_deep'],
    ['an archive cut short', docx('x').subarray(0, -30), 'a.docx', 'damaged'],
    ['an archive whose text is not XML', zip(wordEntries('no <xml')), 'a.docx', 'damaged'],
  ])(
    '%s',
    async (_name, bytes, fileName, code) => {
      expect(await refusal(bytes, fileName)).toBe(code);
    },
    60_000,
  );

  test('an encrypted PDF', async () => {
    const locked = pdf(pdfText('x'), {
      trailer: `/Encrypt << /Filter /Standard /V 1 /R 2 /P -4 /O <${'41'.repeat(32)}> /U <${'42'.repeat(32)}> >> /ID [<00> <00>]`,
    });
    await expect(extract(locked, 'a.pdf')).rejects.toMatchObject({
      code: 'encrypted',
      message: 'The PDF is encrypted: upload it without a password',
    });
  });
});

describe('SEC-K10: archives that are built to harm', () => {
  const body = wordXml(wordParagraph('text'));
  const filler = (bytes: number) => Buffer.alloc(bytes, 'a');

  test.each([
    [
      '60 kB that unpack to 60 MB',
      wordEntries(wordXml(wordParagraph('a'.repeat(60 * MEBIBYTE)))),
      'too_large',
    ],
    [
      '101 MB of stored and packed data at an innocent ratio',
      wordEntries(body, [
        { name: 'word/media/a', data: filler(2 * MEBIBYTE), stored: true },
        { name: 'word/media/b', data: filler(100 * MEBIBYTE) },
      ]),
      'too_large',
    ],
    [
      'a size that is a lie',
      wordEntries(body, [{ name: 'word/media/a', data: filler(2 * MEBIBYTE), claimedBytes: 10 }]),
      'damaged',
    ],
    [
      'more than 2,000 entries',
      wordEntries(
        body,
        Array.from({ length: 2_001 }, (_, at) => ({ name: `word/media/${at}`, data: '' })),
      ),
      'too_large',
    ],
    ['an encrypted entry', wordEntries(body, [{ name: 'a', data: 'x', encrypted: true }]), 'encrypted'],
    [
      'a name that leads out',
      wordEntries(body, [{ name: '../../etc/cron.d/a', data: 'x' }]),
      'unsafe_archive',
    ],
    ['an absolute name', wordEntries(body, [{ name: '/etc/passwd', data: 'x' }]), 'unsafe_archive'],
    ['a name with a backslash', wordEntries(body, [{ name: '..\\a', data: 'x' }]), 'unsafe_archive'],
    [
      'two entries of one name',
      wordEntries(body, [{ name: 'word/document.xml', data: body }]),
      'unsafe_archive',
    ],
    [
      'entities that grow',
      wordEntries(
        wordXml(wordParagraph('&b;'), '<!DOCTYPE x [<!ENTITY a "aaaaaaaaaa"><!ENTITY b "&a;&a;&a;&a;">]>'),
      ),
      'damaged',
    ],
  ])(
    '%s',
    async (_name, entries, code) => {
      expect(await refusal(zip(entries), 'a.docx')).toBe(code);
    },
    60_000,
  );

  test('a directory behind another one', async () => {
    const bomb = zip(wordEntries(wordXml(wordParagraph('other'))));
    expect(await refusal(Buffer.concat([zip(wordEntries(body)), bomb]), 'a.docx')).toBe('unsafe_archive');
    expect(
      await refusal(zip(wordEntries(body), bomb.toString('latin1').slice(0, 60_000)), 'a.docx'),
    ).not.toBe('read');
  });
  test('an archive with a comment is read', async () => {
    expect(await textOf(zip(wordEntries(body), 'made by hand'), 'a.docx')).toBe('text');
  });
  test('an archive within an archive stays closed', async () => {
    const inner = zip([{ name: 'a', data: filler(20 * MEBIBYTE) }]);
    expect(
      await textOf(
        zip(wordEntries(body, [{ name: 'word/embeddings/a.zip', data: inner, stored: true }])),
        'a.docx',
      ),
    ).toBe('text');
  });
});

describe('SEC-K12: PDFs that are built to harm', () => {
  test('30 MB of blanks in 30 kB', async () => {
    expect(await refusal(pdf(Buffer.alloc(30 * MEBIBYTE, ' ')), 'a.pdf')).toBe('no_text');
  });
  test('what grows beyond the memory of the process ends with it, and the next document is read', async () => {
    expect(await refusal(pdf(Buffer.alloc(1_100 * MEBIBYTE, ' ')), 'a.pdf')).toBe('out_of_memory');
    expect(await textOf('fine', 'a.txt')).toBe('fine');
  });
  test('an action in JavaScript is not run', async () => {
    const catalog = '/OpenAction << /S /JavaScript /JS (app.alert\\(1\\)) >>';
    expect(await textOf(pdf(pdfText('calm'), { catalog }), 'a.pdf')).toBe('calm');
  });
  test('a table of objects that comes before itself', async () => {
    const place = /startxref\n(\d+)/.exec(pdf(pdfText('calm')).toString('latin1'))?.[1];
    expect(await textOf(pdf(pdfText('calm'), { trailer: `/Prev ${place}` }), 'a.pdf')).toBe('calm');
  });
  test('a tree of pages that is its own child', async () => {
    expect(await refusal(pdf(pdfText('x'), { kids: '2 0 R' }), 'a.pdf')).toMatch(
      /^(damaged|no_text|timeout)$/,
    );
  });
});

describe('SEC-K14: texts that are built to be counted for long', () => {
  test.each([
    ['letters', 'a'.repeat(200_000), 200_000],
    ['blanks', `a${' '.repeat(200_000)}b`, 3],
    ['a control token', '<|endoftext|>', 13],
  ])('%s', async (_name, text, characters) => {
    const extraction = await extract(text, 'a.txt');
    expect(extraction.characters).toBe(characters);
    for (const { tokens } of extraction.chunks) expect(tokens).toBeLessThanOrEqual(CHUNKING.chunkSize);
  });
});

describe('the process', () => {
  test('SEC-X13: it has no secrets in its environment', async () => {
    const reading = extract('text', 'a.txt');
    expect(await readFile(`/proc/${await nextPid()}/environ`, 'utf8')).not.toContain('CANARY');
    await reading;
  });
  test.runIf(hasNetworks)('SEC-X13: it has a network of its own', async () => {
    const reading = extract('text', 'a.txt');
    const pid = await nextPid();
    const own = await readlink('/proc/self/ns/net');
    await eventually('another network', 20_000, async () =>
      (await readlink(`/proc/${pid}/ns/net`)) === own ? null : true,
    );
    await reading;
  });
  test('a document survives the death of its process: it is read once more', async () => {
    const reading = textOf('text', 'a.txt');
    process.kill(await nextPid(), 'SIGKILL');
    expect(await reading).toBe('text');
  });
  test('a process that dies twice under a document is not the fault of the document', async () => {
    const failed = refusal('text', 'a.txt');
    const first = await nextPid();
    process.kill(first, 'SIGKILL');
    process.kill(await nextPid(first), 'SIGKILL');
    expect(await failed).toBe('Error: The extraction process crashed twice on the same document');
  });
  test('an abort ends the process and passes on its reason', async () => {
    const stop = new AbortController();
    const reading = extract('text', 'a.txt', stop.signal);
    const pid = await nextPid();
    stop.abort(new Error('cancelled by the test'));
    await expect(reading).rejects.toThrow('cancelled by the test');
    expect(() => process.kill(pid, 0)).toThrow('ESRCH');
    await expect(extract('text', 'a.txt', stop.signal)).rejects.toThrow('cancelled by the test');
  });
  test('a document that waits for its turn can be cancelled', async () => {
    const stop = new AbortController();
    const others = [textOf('1', 'a.txt'), textOf('2', 'a.txt')];
    const third = extract('3', 'a.txt', stop.signal);
    stop.abort(new Error('no longer wanted'));
    await expect(third).rejects.toThrow('no longer wanted');
    expect(await Promise.all(others)).toEqual(['1', '2']);
  });
  test('a document that takes too long is given up', async () => {
    const hasty = createExtractor(log, { timeoutMs: 20 });
    await expect(
      hasty.extract(
        { organizationId: 'o', bytes: Buffer.from('x'), fileName: 'a.txt', chunking: CHUNKING },
        new AbortController().signal,
      ),
    ).rejects.toMatchObject({
      code: 'timeout',
      message: 'The document could not be read within 0.02 seconds',
    });
    expect(hasty.pids).toEqual([]);
    await hasty.close();
  });
  test('closing ends what is under way and refuses what comes', async () => {
    const closing = createExtractor(log);
    const go = () =>
      closing.extract(
        { organizationId: 'o', bytes: Buffer.from('x'), fileName: 'a.txt', chunking: CHUNKING },
        new AbortController().signal,
      );
    const reading = go();
    await eventually('a process', 20_000, () => closing.pids[0]);
    const [outcome] = await Promise.all([reading.catch(String), closing.close()]);
    expect(outcome).toBe('Error: The extractor is closed');
    await expect(go()).rejects.toThrow('closed');
    expect(closing.pids).toEqual([]);
  });
});
