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

; What the call returns, with tensors that have no arrays yet; null with an exception set.
; %returned: how many results a tuple holds; -1 for one bare tensor, -2 for None
define ptr @tfc_answer(i64 %returned) {
entry:
  %type = load ptr, ptr @tfc_types
  %single = icmp eq i64 %returned, -1
  br i1 %single, label %one, label %several
one:
  %alone = call ptr @PyType_GenericAlloc(ptr %type, i64 0)
  ret ptr %alone
several:
  %nothing = icmp eq i64 %returned, -2
  br i1 %nothing, label %none, label %pack
none:
  INCREF @Py_None
  ret ptr @Py_None
pack:
  %tuple = call ptr @PyTuple_New(i64 %returned)
  %no.tuple = icmp eq ptr %tuple, null
  br i1 %no.tuple, label %failed, label %next
next:
  %i = phi i64 [ 0, %pack ], [ %i.1, %item ]
  %over = icmp sge i64 %i, %returned
  br i1 %over, label %done, label %make
make:
  %tensor = call ptr @PyType_GenericAlloc(ptr %type, i64 0)
  %no.tensor = icmp eq ptr %tensor, null
  br i1 %no.tensor, label %undo, label %item
item:
  %items = getelementptr i8, ptr %tuple, i64 $TUPLE_ITEMS
  %item.at = getelementptr ptr, ptr %items, i64 %i
  store ptr %tensor, ptr %item.at
  %i.1 = add i64 %i, 1
  br label %next
done:
  ret ptr %tuple
undo:
  DECREF %tuple
  br label %failed
failed:
  ret ptr null
}

; Put the arrays in %outs (whose references this takes over) into the tensors of %answer, which
; `tfc_answer` has made for this %returned, and store the updates. Nothing here can fail.
define void @tfc_fill(ptr %self, ptr %results, i64 %count, ptr %outs, i64 %returned, ptr %answer) {
entry:
  %slot = load i64, ptr getelementptr (ptr, ptr @tfc_types, i64 2)
  %captured = getelementptr i8, ptr %self, i64 $FIRST_CAPTURE
  %items = getelementptr i8, ptr %answer, i64 $TUPLE_ITEMS
  %single = icmp eq i64 %returned, -1
  br label %next
next:
  %i = phi i64 [ 0, %entry ], [ %i.1, %swap ]
  %place = phi i64 [ 0, %entry ], [ %place.1, %swap ]
  %over = icmp uge i64 %i, %count
  br i1 %over, label %done, label %read
read:
  %result = getelementptr { ptr, i64, i64, i64, i64, i64 }, ptr %results, i64 %i
  %update.at = getelementptr i8, ptr %result, i64 40
  %update = load i64, ptr %update.at
  %i.1 = add i64 %i, 1
  %returns = icmp slt i64 %update, 0
  br i1 %returns, label %return, label %variable
return:
  br i1 %single, label %bare, label %item
bare:
  br label %swap
item:
  %item.at = getelementptr ptr, ptr %items, i64 %place
  %tensor = load ptr, ptr %item.at
  %place.2 = add i64 %place, 1
  br label %swap
variable:
  %target.at = getelementptr ptr, ptr %captured, i64 %update
  %target = load ptr, ptr %target.at
  br label %swap
swap:
  ; Old arrays go to %outs: freeing them may run any code.
  %object = phi ptr [ %answer, %bare ], [ %tensor, %item ], [ %target, %variable ]
  %place.1 = phi i64 [ %place, %bare ], [ %place.2, %item ], [ %place, %variable ]
  %field = getelementptr i8, ptr %object, i64 %slot
  %old = load ptr, ptr %field
  %out.at = getelementptr ptr, ptr %outs, i64 %i
  %out = load ptr, ptr %out.at
  store ptr %out, ptr %field
  store ptr %old, ptr %out.at
  br label %next
done:
  call void @tfc_drop(ptr %outs, i64 %count)
  ret void
}

; Wrap the arrays in %outs (whose references this takes over), store the updates, return the rest.
define ptr @tfc_finish(ptr %self, ptr %results, i64 %count, ptr %outs, i64 %returned) {
entry:
  %answer = call ptr @tfc_answer(i64 %returned)
  %failed = icmp eq ptr %answer, null
  br i1 %failed, label %undo, label %fill
fill:
  call void @tfc_fill(ptr %self, ptr %results, i64 %count, ptr %outs, i64 %returned, ptr %answer)
  ret ptr %answer
undo:
  call void @tfc_drop(ptr %outs, i64 %count)
  ret ptr null
}

; ---- donations --------------------------------------------------------------------------------
; How many Variables are overwritten at this moment without the interpreter lock; and whether no
; more may be, since a fork waits for them.
@overwriting = internal global [2 x i64] zeroinitializer

define ptr @tfc_overwriting() {
  ret ptr @overwriting
}

; Whether a Variable without an array gets it back, when another thread has overwritten it; it may
; have it by then. Without the lock meanwhile: what was read of other objects may be gone.
define internal i1 @wait() {
entry:
  %taken = load i64, ptr @overwriting
  %none = icmp eq i64 %taken, 0
  br i1 %none, label %no, label %yes
yes:
  %thread = call ptr @PyEval_SaveThread()
  %status = call i32 @usleep(i32 50)
  call void @PyEval_RestoreThread(ptr %thread)
  ret i1 true
no:
  ret i1 false
}

; Take the arrays that will be overwritten from their Variables: until `tfc_give`, who reads one of
; these in another thread waits. %arrays are those of params and captures.
define void @tfc_take(ptr %self, ptr %results, i64 %count, ptr %arrays, ptr %outs) {
  call void @exchange(ptr %self, ptr %results, i64 %count, ptr %arrays, ptr %outs, i1 true)
  ret void
}

define void @tfc_give(ptr %self, ptr %results, i64 %count, ptr %arrays, ptr %outs) {
  call void @exchange(ptr %self, ptr %results, i64 %count, ptr %arrays, ptr %outs, i1 false)
  ret void
}

; For each result in its Variable's memory: empty the Variable's slot, or fill it again.
define internal void @exchange(ptr %self, ptr %results, i64 %count, ptr %arrays, ptr %o, i1 %take) {
entry:
  %slot = load i64, ptr getelementptr (ptr, ptr @tfc_types, i64 2)
  %captured = getelementptr i8, ptr %self, i64 $FIRST_CAPTURE
  br label %next
next:
  %i = phi i64 [ 0, %entry ], [ %i.1, %following ]
  %over = icmp uge i64 %i, %count
  br i1 %over, label %done, label %read
read:
  %i.1 = add i64 %i, 1
  %result = getelementptr { ptr, i64, i64, i64, i64, i64 }, ptr %results, i64 %i
  %mode.at = getelementptr i8, ptr %result, i64 24
  %mode = load i64, ptr %mode.at
  %donates = icmp eq i64 %mode, $DONATE
  br i1 %donates, label %compare, label %following
compare:
  %source.at = getelementptr i8, ptr %result, i64 32
  %source = load i64, ptr %source.at
  %array.at = getelementptr ptr, ptr %arrays, i64 %source
  %array = load ptr, ptr %array.at
  %out.at = getelementptr ptr, ptr %o, i64 %i
  %out = load ptr, ptr %out.at
  %overwritten = icmp eq ptr %array, %out
  br i1 %overwritten, label %variable, label %following
variable:
  %update.at = getelementptr i8, ptr %result, i64 40
  %update = load i64, ptr %update.at
  %target.at = getelementptr ptr, ptr %captured, i64 %update
  %target = load ptr, ptr %target.at
  %field = getelementptr i8, ptr %target, i64 %slot
  %change = select i1 %take, i64 1, i64 -1
  %taken = load i64, ptr @overwriting
  %taken.1 = add i64 %taken, %change
  store i64 %taken.1, ptr @overwriting
  br i1 %take, label %empty, label %refill
empty:
  store ptr null, ptr %field
  br label %following
refill:
  ; Another thread may have assigned a value meanwhile.
  %there = load ptr, ptr %field
  %still.empty = icmp eq ptr %there, null
  br i1 %still.empty, label %back, label %superfluous
back:
  store ptr %array, ptr %field
  br label %following
superfluous:
  DECREF %array
  br label %following
following:
  br label %next
done:
  ret void
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
