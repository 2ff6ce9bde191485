/** The sentences about files: the first page loads `words.ts`. */
export const fileWords = {
  upload: 'Upload files',
  uploaded: 'Stored',
  kept: 'Kept until',
  withRuns: 'Its runs are deleted',
  none: {
    title: 'No files yet.',
    text: 'Files are uploaded here or with the input of a run, or are kept by nodes whose answer is “A file”.',
  },
  deleteFile: (name: string) => `Delete “${name}”? Runs that still need it will fail.`,
  download: 'Download',
  downloadFile: (name: string) => `Download: ${name}`,
  preview: 'Preview',
  previewFile: (name: string) => `Preview: ${name}`,
  hide: 'Hide',
  hideFile: (name: string) => `Hide: ${name}`,
  isCut: 'Only the beginning is shown.',
  dismiss: 'Dismiss',
  copyReference: 'Copy reference',
  copyReferenceTo: (name: string) => `Copy reference: ${name}`,
  copied: 'Copied',
  formatSize,
} as const;

const UNITS = ['bytes', 'kB', 'MB', 'GB'] as const;

/** Bytes as people read them: `11 bytes`, `48 kB`, `1.5 MB`. */
function formatSize(bytes: number): string {
  if (bytes === 1) return '1 byte';
  const step = Math.min(Math.floor(Math.log10(Math.max(bytes, 1)) / 3), UNITS.length - 1);
  const shown = (bytes / 1_000 ** step).toLocaleString(undefined, {
    maximumFractionDigits: step < 2 ? 0 : 1,
  });
  return `${shown} ${UNITS[step] ?? ''}`;
}
