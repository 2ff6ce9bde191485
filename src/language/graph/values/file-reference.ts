/** A reference to a file: values of runs, their state and their steps have it in place of bytes. */

/** The other fields are descriptions for people and templates: who opens the file believes the stored ones. */
export interface FileReference {
  readonly $file: string;
  readonly name: string;
  readonly media_type: string;
  readonly size: number;
  readonly sha256: string;
}
