/** CodeMirror for templates, code and JSON; loaded when the first field of these is shown. */
import {
  autocompletion,
  closeBrackets,
  completionKeymap,
  type CompletionContext,
} from '@codemirror/autocomplete';
import { defaultKeymap, history, historyKeymap } from '@codemirror/commands';
import { javascript } from '@codemirror/lang-javascript';
import { json } from '@codemirror/lang-json';
import { defaultHighlightStyle, HighlightStyle, syntaxHighlighting } from '@codemirror/language';
import { EditorState, Transaction, type Extension } from '@codemirror/state';
import {
  EditorView,
  keymap,
  lineNumbers,
  placeholder,
  MatchDecorator,
  Decoration,
  ViewPlugin,
  type DecorationSet,
  type ViewUpdate,
} from '@codemirror/view';
import { useEffect, useRef } from 'react';
import type { Reference } from './references.ts';

export interface CodeEditorProps {
  readonly label: string;
  readonly value: string;
  readonly language: 'template' | 'javascript' | 'json';
  readonly isReadOnly?: boolean;
  readonly hint?: string;
  readonly references: () => readonly Reference[];
  readonly onChange: (value: string) => void;
  readonly onBlur: () => void;
}

/** Marks `{{…}}` wherever it stands. */
const templates = ViewPlugin.fromClass(
  class {
    readonly #matcher = new MatchDecorator({
      regexp: /\{\{[^{}]*\}\}/g,
      decoration: Decoration.mark({ class: 'wc-template' }),
    });
    decorations: DecorationSet;
    constructor(view: EditorView) {
      this.decorations = this.#matcher.createDeco(view);
    }
    update(update: ViewUpdate): void {
      this.decorations = this.#matcher.updateDeco(update, this.decorations);
    }
  },
  { decorations: (plugin) => plugin.decorations },
);

/** The usual colours, which are made for a light page: a dark one lifts them (--wc-lift). */
const highlights = HighlightStyle.define(
  defaultHighlightStyle.specs.map((spec) =>
    typeof spec['color'] === 'string'
      ? { ...spec, color: `color-mix(in srgb, ${spec['color']}, white var(--wc-lift))` }
      : spec,
  ),
);

const completeWith = (references: () => readonly Reference[]) => (context: CompletionContext) => {
  const before = context.matchBefore(/\{\{\s*[\w.[\]"-]*$/);
  if (before === null) return null;
  const from = before.from + (/^\{\{\s*/.exec(before.text)?.[0].length ?? 0);
  const isClosed = context.state.sliceDoc(context.pos, context.pos + 2) === '}}';
  return {
    from,
    options: references().map(({ text, hint }) => ({
      label: text,
      detail: hint,
      apply: isClosed ? text : `${text}}}`,
    })),
    validFor: /^[\w.[\]"-]*$/,
  };
};

const LANGUAGES: Readonly<Record<CodeEditorProps['language'], () => Extension>> = {
  template: () => EditorView.lineWrapping,
  javascript: () => [javascript(), lineNumbers()],
  json: () => [json(), EditorView.lineWrapping],
};

/** What the page's policy lets style sheets in by. */
const nonceOfPage = (): string =>
  document.querySelector<HTMLMetaElement>('meta[name="csp-nonce"]')?.content ?? '';

export default function CodeEditor(props: CodeEditorProps) {
  const { label, value, language, isReadOnly = false, hint = '' } = props;
  const host = useRef<HTMLDivElement>(null);
  const editor = useRef<EditorView | null>(null);
  const latest = useRef(props);
  latest.current = props;
  useEffect(() => {
    if (host.current === null) return undefined;
    const view = new EditorView({
      parent: host.current,
      state: EditorState.create({
        doc: latest.current.value,
        extensions: [
          EditorView.cspNonce.of(nonceOfPage()),
          history(),
          keymap.of([...completionKeymap, ...defaultKeymap, ...historyKeymap]),
          autocompletion({ override: [completeWith(() => latest.current.references())] }),
          closeBrackets(),
          templates,
          syntaxHighlighting(highlights),
          LANGUAGES[language](),
          placeholder(hint),
          EditorState.readOnly.of(isReadOnly),
          EditorView.contentAttributes.of({ 'aria-label': label }),
          EditorView.updateListener.of((update) => {
            const isRemote = update.transactions.some((one) => one.annotation(Transaction.remote) === true);
            if (update.docChanged && !isRemote) latest.current.onChange(update.state.doc.toString());
          }),
          EditorView.domEventHandlers({ blur: () => latest.current.onBlur() }),
        ],
      }),
    });
    editor.current = view;
    return () => view.destroy();
  }, [language, isReadOnly, label, hint]);
  useEffect(() => {
    const view = editor.current;
    if (view === null || view.hasFocus) return;
    const change = smallestChange(view.state.doc.toString(), value);
    if (change === null) return;
    view.dispatch({
      changes: change,
      annotations: [Transaction.remote.of(true), Transaction.addToHistory.of(false)],
    });
  }, [value]);
  return <div ref={host} className={`wc-code-editor wc-code-${language}`} />;
}

/** What must change between a common beginning and a common end, so that scroll and marks stay. */
function smallestChange(from: string, to: string): { from: number; to: number; insert: string } | null {
  if (from === to) return null;
  let start = 0;
  while (start < from.length && start < to.length && from[start] === to[start]) start += 1;
  let end = 0;
  const most = Math.min(from.length, to.length) - start;
  while (end < most && from[from.length - 1 - end] === to[to.length - 1 - end]) end += 1;
  return { from: start, to: from.length - end, insert: to.slice(start, to.length - end) };
}
