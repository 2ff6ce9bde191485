/** A JSON value as a tree; a search shows only the parts that match, opened. */
import { Anchor, Box, UnstyledButton } from '@mantine/core';
import { ChevronDown, ChevronRight } from 'lucide-react';
import { useState } from 'react';
import { shortenText } from '../../../language/graph/values/cut-text.ts';
import { readReference } from '../../../language/graph/values/file-reference.ts';
import { isContainer, type Container, type Json } from '../../../language/graph/values/value.ts';
import { FileCard } from '../files/file-card.tsx';
import { runWords } from '../words-runs.ts';
import { childPath, type SearchResult } from './value-search.ts';

const PAGE = 100;
const MAX_TEXT = 10_000;

interface BranchProps {
  readonly value: Container;
  readonly path: string;
  readonly depth: number;
  /** Null: nothing is searched. */
  readonly found: SearchResult | null;
  /** Levels that are open at first. */
  readonly openTo: number;
}

function Branch({ value, path, depth, found, openTo }: BranchProps) {
  const [most, setMost] = useState(PAGE);
  const entries = Object.entries(value).filter(
    ([key]) => found === null || found.paths.has(childPath(path, key)),
  );
  return (
    <Box component="ul" m={0} pl={depth === 0 ? 0 : 18} style={{ listStyle: 'none' }}>
      {entries.slice(0, most).map(([key, child]) => (
        <Entry key={key} name={key} value={child} path={childPath(path, key)} {...{ depth, found, openTo }} />
      ))}
      {entries.length > most && (
        <li>
          <Anchor component="button" type="button" size="xs" onClick={() => setMost(most + PAGE)}>
            {runWords.moreEntries(entries.length - most)}
          </Anchor>
        </li>
      )}
    </Box>
  );
}

interface EntryProps extends Omit<BranchProps, 'value'> {
  readonly name: string;
  readonly value: Json;
}

function Entry({ name, value, path, depth, found, openTo }: EntryProps) {
  const [isToggled, setToggled] = useState(false);
  const file = readReference(value);
  if (file !== null && file !== 'incomplete')
    return (
      <li>
        <b>{name}</b>: <FileCard file={file} />
      </li>
    );
  if (!isContainer(value))
    return (
      <li style={{ overflowWrap: 'anywhere', whiteSpace: 'pre-wrap' }}>
        <b>{name}</b>: {typeof value === 'string' ? `"${shortenText(value, MAX_TEXT)}"` : String(value)}
      </li>
    );
  const isOpen = (found !== null || depth < openTo) !== isToggled;
  const Chevron = isOpen ? ChevronDown : ChevronRight;
  const size = Array.isArray(value) ? value.length : Object.keys(value).length;
  return (
    <li>
      <UnstyledButton
        aria-expanded={isOpen}
        onClick={() => setToggled(!isToggled)}
        fz="inherit"
        style={{ fontFamily: 'inherit' }}
      >
        <Chevron size={12} aria-hidden /> <b>{name}</b> {Array.isArray(value) ? `[${size}]` : `{${size}}`}
      </UnstyledButton>
      {isOpen && <Branch value={value} path={path} depth={depth + 1} found={found} openTo={openTo} />}
    </li>
  );
}

interface TreeProps extends Pick<BranchProps, 'found' | 'openTo'> {
  readonly value: Json;
}

const isEmpty = (value: Container): boolean => Object.keys(value).length === 0;

export function ValueTree({ value, found, openTo }: TreeProps) {
  const file = readReference(value);
  if (file !== null && file !== 'incomplete') return <FileCard file={file} />;
  return isContainer(value) && !isEmpty(value) ? (
    <Branch value={value} path="" depth={0} found={found} openTo={openTo} />
  ) : (
    <Box style={{ overflowWrap: 'anywhere', whiteSpace: 'pre-wrap' }}>
      {typeof value === 'string' ? shortenText(value, MAX_TEXT) : JSON.stringify(value)}
    </Box>
  );
}
