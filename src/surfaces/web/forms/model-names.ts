/** Models that the form of a model suggests, by provider; any other name may be typed. */
export const MODELS: Readonly<Record<string, readonly string[]>> = {
  openai: [
    'gpt-4.1',
    'gpt-4.1-mini',
    'gpt-4.1-nano',
    'gpt-4o',
    'gpt-4o-mini',
    'gpt-5',
    'gpt-5-mini',
    'gpt-5-nano',
    'o3',
    'o4-mini',
  ],
  anthropic: ['claude-haiku-4-5', 'claude-opus-4-1', 'claude-sonnet-4-5', 'claude-3-5-haiku-latest'],
};
