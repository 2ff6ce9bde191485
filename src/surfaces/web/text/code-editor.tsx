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
import { Compartment, EditorSelection, EditorState, Transaction, type Extension } from '@codemirror/state';
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
import { FILTER_SIGNATURES } from '../../../language/graph/filters/filter-signatures.ts';
import { findDifferences } from './merge.ts';
import type { Reference } from './references.ts';

export interface CodeEditorProps {
  readonly label: string;
  /** The text as it is now. */
  readonly read: () => string;
  /** Calls the listener when the text may be another. @returns how to stop that */
  readonly subscribe: (listener: () => void) => () => void;
  readonly language: 'template' | 'line' | 'javascript' | 'json';
  readonly isReadOnly?: boolean;
  readonly hint?: string;
  /** The id of the element that says what is wrong; empty where nothing is. */
  readonly describedBy: string;
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

/** Offers the filters behind a `|`, each as it is written. */
function completeFilter(context: CompletionContext) {
  const before = context.matchBefore(/\{\{[^{}|]*\|[^{}]*$/);
  const typed = /\|\s*(\w*)$/.exec(before?.text ?? '')?.[1];
  if (typed === undefined) return null;
  return {
    from: context.pos - typed.length,
    options: [...FILTER_SIGNATURES.values()].map(({ usage }) => ({ label: usage, type: 'function' })),
    validFor: /^\w*$/,
  };
}

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
  line: () => [
    EditorView.lineWrapping,
    EditorState.transactionFilter.of((change) => (change.newDoc.lines > 1 ? [] : change)),
    EditorView.clipboardInputFilter.of((text) => text.replace(/\s*\n\s*/g, ' ')),
  ],
  javascript: () => [javascript(), lineNumbers()],
  json: () => [json(), EditorView.lineWrapping],
};

const readOnly = new Compartment();

/**
 * Forgets on which line a cursor between two wrapped lines is drawn. CodeMirror 6.43 draws it there after the focus has left,
 * too, and a browser that sets a selection in a text gives it the focus.
 */
function releaseCursor(view: EditorView): void {
  const { main } = view.state.selection;
  if (main.empty && main.assoc !== 0) view.dispatch({ selection: EditorSelection.cursor(main.head) });
}

/** Reads the nonce that the page's policy requires of style sheets. */
const readNonce = (): string =>
  document.querySelector<HTMLMetaElement>('meta[name="csp-nonce"]')?.content ?? '';

export default function CodeEditor(props: CodeEditorProps) {
  const { label, language, isReadOnly = false, hint = '', describedBy, subscribe } = props;
  const host = useRef<HTMLDivElement>(null);
  const editor = useRef<EditorView | null>(null);
  const latest = useRef(props);
  latest.current = props;
  useEffect(() => {
    if (host.current === null) return undefined;
    const view = new EditorView({
      parent: host.current,
      state: EditorState.create({
        doc: latest.current.read(),
        extensions: [
          EditorView.cspNonce.of(readNonce()),
          history(),
          keymap.of([...completionKeymap, ...defaultKeymap, ...historyKeymap]),
          autocompletion({ override: [completeWith(() => latest.current.references()), completeFilter] }),
          closeBrackets(),
          templates,
          syntaxHighlighting(highlights),
          LANGUAGES[language](),
          placeholder(hint),
          readOnly.of(EditorState.readOnly.of(latest.current.isReadOnly ?? false)),
          EditorView.contentAttributes.of(() => {
            const { describedBy: id, label: name } = latest.current;
            return {
              'aria-label': name,
              ...(id === '' ? {} : { 'aria-describedby': id, 'aria-invalid': 'true' }),
            };
          }),
          EditorView.updateListener.of((update) => {
            const isRemote = update.transactions.some((one) => one.annotation(Transaction.remote) === true);
            if (update.docChanged && !isRemote) latest.current.onChange(update.state.doc.toString());
          }),
          EditorView.domEventHandlers({
            blur(_event, left) {
              releaseCursor(left);
              latest.current.onBlur();
            },
          }),
        ],
      }),
    });
    editor.current = view;
    return () => view.destroy();
  }, [language, hint]);
  useEffect(() => {
    editor.current?.dispatch({ effects: readOnly.reconfigure(EditorState.readOnly.of(isReadOnly)) });
  }, [isReadOnly, describedBy, label]);
  useEffect(() => {
    // Within the call, not in a render: a key that comes between would be typed into a text that is not there any more.
    const sync = (): void => {
      const view = editor.current;
      const now = latest.current.read();
      if (view === null || view.state.doc.toString() === now) return;
      view.dispatch({
        // By its parts, so that the cursor, scroll and marks stay where they are.
        changes: findDifferences(view.state.doc.toString(), now),
        annotations: [Transaction.remote.of(true), Transaction.addToHistory.of(false)],
      });
    };
    sync();
    return subscribe(sync);
  });
  return <div ref={host} className={`wc-code-editor wc-code-${language}`} />;
}
