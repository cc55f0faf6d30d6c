/** The API token: comes in the address' fragment, lives in session storage, leaves as a header. */
const KEY = "hermes-sessions.token";

/** Moves `#token=…` from the address into session storage, so that it is in no history entry and no shared link. */
export function takeTokenFromAddress(): void {
  const fragment = new URLSearchParams(window.location.hash.slice(1));
  const token = fragment.get("token");
  if (token === null) return;
  saveToken(token);
  fragment.delete("token");
  const rest = fragment.toString();
  const { pathname, search } = window.location;
  window.history.replaceState(window.history.state, "", pathname + search + (rest && `#${rest}`));
}

export function readToken(): string | null {
  return sessionStorage.getItem(KEY);
}

export function saveToken(token: string): void {
  const trimmed = token.trim();
  if (trimmed) sessionStorage.setItem(KEY, trimmed);
}

/** The headers that let a request in; empty where the server asks for no token. */
export function authorization(): Record<string, string> {
  const token = readToken();
  return token ? { authorization: `Bearer ${token}` } : {};
}
