! Driver 0 of [CZ08 section 3.4]: a free body, one step of frb_step, its attitude a matrix.
! Reads init_example0.dat: h, the moments of inertia, the momentum, the attitude column by column.
! Writes out_example0.dat: momentum, attitude, time; momentum, attitude after the step. One number on each line.
program driver_example0
  implicit none
  external :: frb_step, frb_message
  double precision :: h, aInert(3), Piin(3), Qin(3, 3), Piout(3), Qout(3, 3)
  character(len=200) :: message

  open (10, file='init_example0.dat', status='old', action='read')
  read (10, *) h, aInert, Piin, Qin
  close (10)

  call frb_step(Piout, Qout, h, aInert, Piin, Qin)
  call frb_message(message)
  if (message /= ' ') then
    print '(2a)', 'driver_example0: ', trim(message)
    stop 1
  end if

  open (20, file='out_example0.dat', status='replace', action='write')
  write (20, '(g26.17)') Piin, Qin, 0d0
  write (20, '(g26.17)') Piout, Qout
  close (20)
end program driver_example0
