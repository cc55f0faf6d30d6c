-- The bin: what was deleted, in the same database, so that a deletion and its entry are one transaction.
CREATE TABLE bin_entry (
    bin_id text PRIMARY KEY,
    title text,
    session_ids text[] NOT NULL,
    message_count bigint NOT NULL DEFAULT 0,
    size_bytes bigint NOT NULL,
    deleted_at double precision NOT NULL
);
CREATE INDEX bin_entry_deleted_at ON bin_entry (deleted_at);

CREATE TABLE bin_row (
    bin_id text NOT NULL REFERENCES bin_entry ON DELETE CASCADE,
    number bigint NOT NULL,
    table_name text NOT NULL,
    cells text NOT NULL,
    PRIMARY KEY (bin_id, table_name, number)
);

CREATE TABLE bin_link (
    bin_id text NOT NULL REFERENCES bin_entry ON DELETE CASCADE,
    child_id text NOT NULL,
    parent_id text NOT NULL,
    PRIMARY KEY (bin_id, child_id)
);

-- Ids that answer `alreadyAbsent`.
CREATE TABLE deleted_id (
    session_id text PRIMARY KEY,
    deleted_at double precision NOT NULL
);

-- Messages may come with their ids: the next new one stands above all of them. Only one writer is here at a time.
CREATE FUNCTION go_on_above() RETURNS trigger LANGUAGE plpgsql SET search_path FROM CURRENT AS $$
DECLARE
    numbers regclass := pg_get_serial_sequence(format('%I.messages', current_schema()), 'id')::regclass;
    greatest_id bigint := (SELECT max(id) FROM came);
BEGIN
    IF greatest_id > coalesce(pg_sequence_last_value(numbers), 0) THEN
        PERFORM setval(numbers, greatest_id);
    END IF;
    RETURN NULL;
END $$;
CREATE TRIGGER go_on_above AFTER INSERT ON messages REFERENCING NEW TABLE AS came
FOR EACH STATEMENT EXECUTE FUNCTION go_on_above();
