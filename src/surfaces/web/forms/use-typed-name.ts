/**
 * A name that is written when its field is left: half a name would be another one. While a colleague holds the node, the typed
 * name stays in its field, and is written once the node is free.
 */
import { useEffect, useRef, useState } from 'react';
import { useEditing } from '../canvas/context.ts';
import { fieldWords } from '../words-fields.ts';

interface NameField {
  /** As it is stored. */
  readonly name: string;
  /** A colleague holds the node, or the person may not edit. */
  readonly isReadOnly: boolean;
  /** @returns the reason in words why a name is not written; null when it is */
  readonly findError: (name: string) => string | null;
  readonly onName: (name: string) => void;
}

export function useTypedName({ name, isReadOnly, findError, onName }: NameField) {
  const { connection } = useEditing();
  const [typed, setTyped] = useState<string | null>(null);
  const [isLeft, setLeft] = useState(false);
  const [hasFocus, setFocus] = useState(false);
  const value = typed ?? name;
  const error = value === name ? null : findError(value);
  const isBlocked = isReadOnly && value !== name;
  const commit = (): void => {
    if (error !== null) return;
    setLeft(isBlocked);
    if (isBlocked) return;
    setTyped(null);
    if (value !== name) onName(value);
  };
  useEffect(() => {
    if (isLeft && !isReadOnly) commit();
  });
  // A form that is closed takes the typed name along.
  const waiting = useRef<string | null>(null);
  useEffect(() => {
    waiting.current = isBlocked ? value : null;
  }, [isBlocked, value]);
  useEffect(
    () => () => {
      if (waiting.current !== null) connection.notify('warning', fieldWords.nameWasNotSaved(waiting.current));
    },
    [connection],
  );
  return {
    input: {
      value,
      error: isLeft && isBlocked ? fieldWords.nameWaits : error,
      // A field that is disabled loses the focus and the next key.
      disabled: isReadOnly && typed === null && !hasFocus,
      onFocus: () => setFocus(true),
      onBlur: () => {
        setFocus(false);
        commit();
      },
    },
    commit,
    type: (text: string): void => {
      setTyped(text);
      setLeft(false);
    },
    drop: (): void => setTyped(null),
  };
}
