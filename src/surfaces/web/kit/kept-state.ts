/**
 * Everything that the page keeps in the browser: one table of names, and the only file that touches a storage. A key has the
 * person, the organization and the workflow that its value belongs to, so that nothing of one is shown with another. A
 * query cache lives as long as its page, which another person loads anew; its keys begin with the organization. Beside
 * these, Mantine keeps the theme.
 */

/** How long a value is kept, and whose it is. `tab`: until the tab is closed or the person signs out; `browser`: for good. */
const TABLE = {
  /** That somebody has signed in here: a page then tries without a form. */
  'signed-in': { lasts: 'browser', of: 'anyone' },
  /** The organization of the last visit; it is shown to its members alone. */
  organization: { lasts: 'browser', of: 'anyone' },
  /** Whether the settings of a workflow are shown beside its canvas. */
  'workflow-settings': { lasts: 'browser', of: 'anyone' },
  /** A begun sign-in, by its `state`: nobody is known yet. */
  'sign-in': { lasts: 'tab', of: 'anyone' },
  /** The id of the tab. */
  tab: { lasts: 'tab', of: 'anyone' },
  /** Invitations that were left for later. */
  'invitations-later': { lasts: 'tab', of: 'person' },
  /** A text that is being written, by its place: a message, an answer. */
  text: { lasts: 'tab', of: 'organization' },
  /** The last input of a run. */
  'run-input': { lasts: 'tab', of: 'workflow' },
  /** The run that was shown. */
  run: { lasts: 'tab', of: 'workflow' },
  /** Typed values of fields. */
  drafts: { lasts: 'tab', of: 'workflow' },
  /** Edits that are not stored, by the id of the tab. */
  unsaved: { lasts: 'tab', of: 'workflow' },
  /** The number of edits that no server has. */
  unsent: { lasts: 'tab', of: 'workflow' },
} as const satisfies Readonly<
  Record<string, { readonly lasts: 'tab' | 'browser'; readonly of: keyof Owners }>
>;

/** A person's place in an organization. */
export interface OrganizationOwner {
  /** The subject at the identity provider. */
  readonly person: string;
  readonly organizationId: string;
}

export interface WorkflowOwner extends OrganizationOwner {
  readonly workflowId: string;
}

interface Owners {
  readonly anyone: null;
  readonly person: Pick<OrganizationOwner, 'person'>;
  readonly organization: OrganizationOwner;
  readonly workflow: WorkflowOwner;
}

type KeptName = keyof typeof TABLE;
type OwnerOf<Name extends KeptName> = Owners[(typeof TABLE)[Name]['of']];

/** One kept value. */
export interface KeptEntry {
  readonly key: string;
  /** Null: nothing is kept. */
  read(): string | null;
  /** A full storage keeps nothing: what is on the page stays there. */
  write(text: string): void;
  remove(): void;
}

const PARTS = {
  anyone: [],
  person: ['person'],
  organization: ['person', 'organizationId'],
  workflow: ['person', 'organizationId', 'workflowId'],
} as const;

/**
 * Finds the place of a kept value.
 * @param owner whom the value belongs to @param detail tells values of one name and owner apart
 */
export function keptAt<Name extends KeptName>(name: Name, owner: OwnerOf<Name>, detail?: string): KeptEntry {
  const { lasts, of } = TABLE[name];
  const storage = lasts === 'tab' ? sessionStorage : localStorage;
  const owned: Partial<WorkflowOwner> = owner ?? {};
  const parts = PARTS[of].map((part) => encodeURIComponent(owned[part] ?? ''));
  const key = [name, ...parts, ...(detail === undefined ? [] : [detail])].join(':');
  return {
    key,
    read: () => storage.getItem(key),
    write(text) {
      try {
        storage.setItem(key, text);
      } catch {
        // Said above.
      }
    },
    remove: () => storage.removeItem(key),
  };
}

/** Whether this tab keeps values of a name, whomever they belong to. */
export const hasKept = (name: KeptName): boolean =>
  Object.keys(sessionStorage).some((key) => key.startsWith(`${name}:`));

/** Forgets all that this tab keeps: its person signs out. */
export const forgetTab = (): void => sessionStorage.clear();
