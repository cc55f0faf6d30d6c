-- What search asks first: the words of each message.

-- Lexemes without positions, made by the program (stores/postgres/words.py) out of what a reader sees of the row. NULL:
-- nobody has made them yet, or the row has too many; search reads such rows.
ALTER TABLE messages ADD COLUMN words tsvector;

-- What comes is first put into a list, which every search reads: a short one keeps both quick.
CREATE INDEX messages_words ON messages USING gin (words) WITH (gin_pending_list_limit = 512);
CREATE INDEX messages_unread ON messages (id) WHERE words IS NULL;

-- Whether a compacted message was carried along is asked of each one that is found.
CREATE INDEX messages_moments ON messages (session_id, timestamp);

-- Words that are not those of the row any more would hide it.
CREATE FUNCTION forget_words() RETURNS trigger LANGUAGE plpgsql SET search_path FROM CURRENT AS $$
BEGIN
    NEW.words := NULL;
    RETURN NEW;
END $$;
CREATE TRIGGER forget_words
BEFORE UPDATE OF role, content, is_structured, tool_name, tool_calls, reasoning, reasoning_content, reasoning_details, cells
ON messages FOR EACH ROW WHEN (
    NEW.words IS NOT DISTINCT FROM OLD.words
    AND (
        NEW.role, NEW.content, NEW.is_structured, NEW.tool_name, NEW.tool_calls,
        NEW.reasoning, NEW.reasoning_content, NEW.reasoning_details, NEW.cells
    ) IS DISTINCT FROM (
        OLD.role, OLD.content, OLD.is_structured, OLD.tool_name, OLD.tool_calls,
        OLD.reasoning, OLD.reasoning_content, OLD.reasoning_details, OLD.cells
    )
) EXECUTE FUNCTION forget_words();
