"""LLVM text that ends a call (returns, updates, errors) and that dispatches calls to entries."""

CALLS = """\
; ---- returning --------------------------------------------------------------------------------
; A tensor around one array, whose reference this takes over.
define ptr @tfc_wrap(ptr %array) {
entry:
  %type = load ptr, ptr @tfc_types
  %slot = load i64, ptr getelementptr (ptr, ptr @tfc_types, i64 2)
  %tensor = call ptr @PyType_GenericAlloc(ptr %type, i64 0)
  %failed = icmp eq ptr %tensor, null
  br i1 %failed, label %undo, label %fill
fill:
  %field = getelementptr i8, ptr %tensor, i64 %slot
  store ptr %array, ptr %field
  ret ptr %tensor
undo:
  DECREF %array
  ret ptr null
}

; Wrap the arrays in %outs (whose references this takes over), store the updates, return the rest.
define ptr @tfc_finish(ptr %self, ptr %results, i64 %count, ptr %outs, i64 %returned) {
entry:
  %type = load ptr, ptr @tfc_types
  %slot = load i64, ptr getelementptr (ptr, ptr @tfc_types, i64 2)
  %captured = getelementptr i8, ptr %self, i64 $FIRST_CAPTURE
  ; %returned: how many results a tuple holds; -1 for one bare tensor, -2 for None
  %single = icmp eq i64 %returned, -1
  br i1 %single, label %one, label %several
one:
  br label %wrap.next
several:
  %nothing = icmp eq i64 %returned, -2
  br i1 %nothing, label %none, label %pack
none:
  INCREF @Py_None
  br label %update
pack:
  %tuple = call ptr @PyTuple_New(i64 %returned)
  %no.tuple = icmp eq ptr %tuple, null
  br i1 %no.tuple, label %undo, label %packed
packed:
  br label %wrap.next
wrap.next:
  %whole = phi ptr [ null, %one ], [ %tuple, %packed ], [ %whole.1, %wrapped ]
  %i = phi i64 [ 0, %one ], [ 0, %packed ], [ %i.1, %wrapped ]
  %place = phi i64 [ 0, %one ], [ 0, %packed ], [ %place.1, %wrapped ]
  %over = icmp uge i64 %i, %count
  br i1 %over, label %update, label %wrap.read
wrap.read:
  %w.result = getelementptr { ptr, i64, i64, i64, i64, i64 }, ptr %results, i64 %i
  %w.update.at = getelementptr i8, ptr %w.result, i64 40
  %w.update = load i64, ptr %w.update.at
  %i.1 = add i64 %i, 1
  %kept = icmp sge i64 %w.update, 0
  br i1 %kept, label %wrapped, label %wrap
wrap:
  %tensor = call ptr @PyType_GenericAlloc(ptr %type, i64 0)
  %no.tensor = icmp eq ptr %tensor, null
  br i1 %no.tensor, label %undo, label %fill
fill:
  %out.at = getelementptr ptr, ptr %outs, i64 %i
  %out = load ptr, ptr %out.at
  store ptr null, ptr %out.at
  %field = getelementptr i8, ptr %tensor, i64 %slot
  store ptr %out, ptr %field
  br i1 %single, label %alone, label %item
alone:
  br label %wrapped
item:
  %items = getelementptr i8, ptr %whole, i64 $TUPLE_ITEMS
  %item.at = getelementptr ptr, ptr %items, i64 %place
  store ptr %tensor, ptr %item.at
  %place.2 = add i64 %place, 1
  br label %wrapped
wrapped:
  %whole.1 = phi ptr [ %whole, %wrap.read ], [ %tensor, %alone ], [ %whole, %item ]
  %place.1 = phi i64 [ %place, %wrap.read ], [ %place, %alone ], [ %place.2, %item ]
  br label %wrap.next
update:
  ; Nothing can fail from here on. Old arrays go to %outs: freeing them may run any code.
  %answer = phi ptr [ @Py_None, %none ], [ %whole, %wrap.next ]
  br label %update.next
update.next:
  %j = phi i64 [ 0, %update ], [ %j.1, %stored ]
  %u.over = icmp uge i64 %j, %count
  br i1 %u.over, label %done, label %update.read
update.read:
  %u.result = getelementptr { ptr, i64, i64, i64, i64, i64 }, ptr %results, i64 %j
  %u.update.at = getelementptr i8, ptr %u.result, i64 40
  %u.update = load i64, ptr %u.update.at
  %j.1 = add i64 %j, 1
  %u.kept = icmp sge i64 %u.update, 0
  br i1 %u.kept, label %swap, label %stored
swap:
  %target.at = getelementptr ptr, ptr %captured, i64 %u.update
  %target = load ptr, ptr %target.at
  %target.slot = getelementptr i8, ptr %target, i64 %slot
  %old = load ptr, ptr %target.slot
  %u.out.at = getelementptr ptr, ptr %outs, i64 %j
  %u.out = load ptr, ptr %u.out.at
  store ptr %u.out, ptr %target.slot
  store ptr %old, ptr %u.out.at
  br label %stored
stored:
  br label %update.next
done:
  call void @tfc_drop(ptr %outs, i64 %count)
  ret ptr %answer
undo:
  %partial = phi ptr [ null, %pack ], [ %whole, %wrap ]
  XDECREF %partial
  call void @tfc_drop(ptr %outs, i64 %count)
  ret ptr null
}

; Let the error handler (the first item of %self) raise what status and values stand for.
define ptr @tfc_fail(ptr %self, i32 %status, ptr %values) {
entry:
  %arguments = alloca [5 x ptr]
  %handler.at = getelementptr i8, ptr %self, i64 $TUPLE_ITEMS
  %handler = load ptr, ptr %handler.at
  %status.64 = sext i32 %status to i64
  br label %next
next:
  %i = phi i64 [ 0, %entry ], [ %i.1, %more ]
  %number = phi i64 [ %status.64, %entry ], [ %value, %more ]
  %int = call ptr @PyLong_FromLongLong(i64 %number)
  %into = getelementptr ptr, ptr %arguments, i64 %i
  store ptr %int, ptr %into
  %unmade = icmp eq ptr %int, null
  br i1 %unmade, label %out, label %made
made:
  %last = icmp eq i64 %i, 4
  br i1 %last, label %call, label %more
more:
  %at = getelementptr i64, ptr %values, i64 %i
  %value = load i64, ptr %at
  %i.1 = add i64 %i, 1
  br label %next
call:
  %answer = call ptr @PyObject_Vectorcall(ptr %handler, ptr %arguments, i64 5, ptr null)
  %raised = icmp eq ptr %answer, null
  br i1 %raised, label %all, label %silent
silent:
  DECREF %answer
  call void @PyErr_SetString(ptr @Py_SystemError, ptr @silent.text)
  br label %all
all:
  br label %out
out:
  %filled = phi i64 [ %i, %next ], [ 5, %all ]
  call void @tfc_drop(ptr %arguments, i64 %filled)
  ret ptr null
}

; ---- dispatch ---------------------------------------------------------------------------------
; %self is the list [slow, keeper, entry, entry, ...]; the entries are builtins.
define ptr @tfc_dispatch(ptr %self, ptr %args, i64 %nargs) {
entry:
  %active = load i32, ptr @tfc_active
  %idle = icmp eq i32 %active, 0
  %size.at = getelementptr i8, ptr %self, i64 $LIST_SIZE
  %items.at = getelementptr i8, ptr %self, i64 $LIST_ITEMS
  br i1 %idle, label %next, label %slow
next:
  %i = phi i64 [ $FIRST_ENTRY, %entry ], [ %i.1, %again ]
  %size = load i64, ptr %size.at
  %more = icmp slt i64 %i, %size
  br i1 %more, label %call, label %slow
call:
  %items = load ptr, ptr %items.at
  %function.at = getelementptr ptr, ptr %items, i64 %i
  %function = load ptr, ptr %function.at
  %method.at = getelementptr i8, ptr %function, i64 $FUNCTION_METHOD
  %method = load ptr, ptr %method.at
  %code.at = getelementptr i8, ptr %method, i64 $METHOD_FUNCTION
  %code = load ptr, ptr %code.at
  %its.self.at = getelementptr i8, ptr %function, i64 $FUNCTION_SELF
  %its.self = load ptr, ptr %its.self.at
  ; The call may run any code, also such that drops this entry from the list.
  INCREF %function
  %answer = call ptr %code(ptr %its.self, ptr %args, i64 %nargs)
  DECREF %function
  %is.miss = icmp eq ptr %answer, @tfc_miss
  br i1 %is.miss, label %missed, label %answered
answered:
  %failed = icmp eq ptr %answer, null
  br i1 %failed, label %why, label %done
why:
  ; Without memory, Python tries once more, and says what for.
  %no.memory = call i32 @PyErr_ExceptionMatches(ptr @Py_MemoryError)
  %ask = icmp ne i32 %no.memory, 0
  br i1 %ask, label %forget, label %done
forget:
  call void @PyErr_Clear()
  br label %slow
missed:
  DECREF %answer
  %i.1 = add i64 %i, 1
  br label %again
again:
  br label %next
done:
  ret ptr %answer
slow:
  %all = load ptr, ptr %items.at
  %python = load ptr, ptr %all
  INCREF %python
  %result = call ptr @PyObject_Vectorcall(ptr %python, ptr %args, i64 %nargs, ptr null)
  DECREF %python
  ret ptr %result
}

; A reference to the object that says: these arguments are not for this entry.
define ptr @tfc_missed() {
  INCREF @tfc_miss
  ret ptr @tfc_miss
}
"""
