/** The door: asks for the token that the server printed. */
import { useEffect, useRef, useState } from "react";
import styles from "./TokenForm.module.css";

interface TokenFormProps {
  wasRefused: boolean;
  onToken: (token: string) => void;
}

export function TokenForm({ wasRefused, onToken }: TokenFormProps) {
  const [token, setToken] = useState("");
  const field = useRef<HTMLInputElement>(null);
  // There is nothing else to do here.
  useEffect(() => field.current?.focus(), []);
  return (
    <main className={styles.door}>
      <form
        className={styles.form}
        onSubmit={(event) => {
          event.preventDefault();
          if (token.trim()) onToken(token);
        }}
      >
        <h1 className={styles.title}>Paste your token</h1>
        <p className={styles.text}>
          The server printed a link with the token when it started. Open that link, or paste what stands after <code>#token=</code>.
        </p>
        {wasRefused && (
          <p role="alert" className={styles.refused}>
            The server did not take that token.
          </p>
        )}
        <label className={styles.label}>
          Token
          <input ref={field} type="password" autoComplete="off" value={token} onChange={(event) => setToken(event.target.value)} className={styles.field} />
        </label>
        <button type="submit" className={styles.submit} disabled={!token.trim()}>
          Continue
        </button>
      </form>
    </main>
  );
}
