/** The dialog of an import: into which profile, from which file, what would come in, and what did. */
import { useEffect, useRef, useState } from "react";
import { useQuery } from "urql";
import { toProblem } from "../graphql/problem";
import { bytes } from "../lib/format";
import { useView } from "../lib/useView";
import buttons from "./Buttons.module.css";
import { DialogFrame } from "./DialogFrame";
import { Icon } from "./Icon";
import styles from "./ImportDialog.module.css";
import { COMMAND, ImportInto, USUAL_LIMIT } from "./importing";
import { ImportReport } from "./ImportReport";
import { Sentence } from "./Sentence";
import { useImport } from "./useImport";

interface ImportDialogProps {
  /** None: a file is chosen here. */
  dropped: File[];
  onClose: () => void;
}

export function ImportDialog({ dropped, onClose }: ImportDialogProps) {
  const { view } = useView();
  const [{ data, error }] = useQuery({ query: ImportInto });
  const [chosen, setChosen] = useState(view.list.profile);
  const profile = chosen ?? data?.server.defaultProfile ?? null;
  const { step, choose, preview, importNow, takeBack, startAgain } = useImport(profile);
  const isReady = data !== undefined && !data.server.readOnly;

  useEffect(() => {
    const [first, ...others] = dropped;
    const note = others.length > 0 ? " One file at a time: the others were left out." : "";
    if (isReady && first) void choose(first, note);
    // oxlint-disable-next-line react/exhaustive-deps -- what was dropped is taken once, when it is known where it may go
  }, [dropped, isReady]);

  if (error && !data) return <Frame onClose={onClose}><Alert><Sentence text={toProblem(error).message} /></Alert></Frame>;
  if (!data) return <Frame onClose={onClose}><p role="status">Asking the server…</p></Frame>;
  if (data.server.readOnly) {
    return (
      <Frame onClose={onClose}>
        <Alert>This server is read-only: nothing can be imported. Start it without --read-only, or use the command {COMMAND}.</Alert>
      </Frame>
    );
  }
  const isBusy = step.type === "working";
  const file = "file" in step ? step.file : null;
  return (
    <Frame onClose={onClose}>
      {step.type !== "done" && (
        <label className={styles.field}>
          <span>Into the profile</span>
          <select value={profile ?? ""} disabled={isBusy} onChange={(event) => setChosen(event.target.value)}>
            {data.profiles.map(({ name }) => (
              <option key={name} value={name}>
                {name}
              </option>
            ))}
          </select>
        </label>
      )}
      {step.type === "choosing" && (
        <>
          {step.refusal && <Alert>{step.refusal}</Alert>}
          <FilePicker onFile={(picked) => void choose(picked)} />
        </>
      )}
      {file && (
        <p className={styles.file}>
          <Icon name="store" />
          <strong>{file.name}</strong>
          <span>{bytes(file.size)}</span>
        </p>
      )}
      {step.type === "working" && <p role="status" className={styles.working}>{step.words}</p>}
      {step.type === "large" && (
        <Alert>
          A request takes {bytes(USUAL_LIMIT)} unless the server is set to take more, and this file makes a larger one. Large files go through the command{" "}
          <code>{`${COMMAND} ${step.file.name}`}</code>
        </Alert>
      )}
      {step.type === "failed" && <Alert><Sentence text={step.message} /></Alert>}
      {step.type === "previewed" && <ImportReport answer={step.answer} />}
      {step.type === "done" && <ImportReport answer={step.answer} profile={step.profile} />}
      {step.type === "done" && step.deleted && <p role="status">{step.deleted}</p>}
      <footer className={buttons.row}>
        {step.type === "large" && <Button onClick={() => void preview(step.file, step.text)}>Send it anyway</Button>}
        {step.type === "failed" && <Button onClick={() => void preview(step.file, step.text)}>Try again</Button>}
        {step.type === "done" && !step.deleted && step.answer.sessionCount > 0 && <Button onClick={() => void takeBack()}>Delete the imported ones</Button>}
        {(step.type === "previewed" || step.type === "large" || step.type === "failed") && <Button onClick={startAgain}>Another file</Button>}
        {step.type === "previewed" && step.answer.sessionCount > 0 && (
          <Button isMain onClick={() => void importNow()}>
            Import into {step.profile}
          </Button>
        )}
        {step.type === "done" && <Button isMain onClick={onClose}>Done</Button>}
      </footer>
    </Frame>
  );
}

const Frame = ({ onClose, children }: { onClose: () => void; children: React.ReactNode }) => (
  <DialogFrame title="Import sessions" onClose={onClose}>
    <div className={styles.body}>{children}</div>
  </DialogFrame>
);

const Alert = ({ children }: { children: React.ReactNode }) => (
  <p role="alert" className={styles.alert}>
    {children}
  </p>
);

function Button({ isMain = false, onClick, children }: { isMain?: boolean; onClick: () => void; children: React.ReactNode }) {
  return (
    <button type="button" className={isMain ? buttons.main : buttons.plain} onClick={onClick}>
      {children}
    </button>
  );
}

function FilePicker({ onFile }: { onFile: (file: File) => void }) {
  const input = useRef<HTMLInputElement>(null);
  return (
    <div className={styles.picker}>
      <Icon name="upload" size={22} />
      <p>Drop a file here, or</p>
      <button type="button" className={buttons.plain} onClick={() => input.current?.click()}>
        Choose a file…
      </button>
      <p className={styles.hint}>.json or .jsonl, as exported here or by Hermes, up to {bytes(USUAL_LIMIT)}. Nothing is written before you have seen what would come in.</p>
      <input
        ref={input}
        className="visually-hidden"
        type="file"
        tabIndex={-1}
        aria-label="File to import"
        accept=".json,.jsonl,.ndjson"
        onChange={(event) => {
          const [file] = event.target.files ?? [];
          if (file) onFile(file);
        }}
      />
    </div>
  );
}
