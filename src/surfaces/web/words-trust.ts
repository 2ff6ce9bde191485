/** Words of the form that vouches for values from outside. */
export const trustWords = {
  title: 'Values from outside',
  why: 'A value from outside decides what this node does. Check it before, or say why it may. The reason is shown at deploy.',
  reasonFor: (value: string) => `Why {{${value}}} may be used`,
  trust: 'Trust this value',
  trusted: (value: string) => `{{${value}}}`,
  remove: (value: string) => `Do not trust {{${value}}} any more`,
} as const;
