/** Who speaks in a message, in words. */
const VOICES = new Map([
  ["user", "You"],
  ["assistant", "Assistant"],
  ["tool", "Tool result"],
  ["system", "System"],
]);

export const voiceOf = ({ role, isSummary }: { role: string; isSummary: boolean }): string =>
  isSummary ? "Summary of what came before" : (VOICES.get(role) ?? role);
